import { eq } from "drizzle-orm";
import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createAccount } from "../../../src/base/accounts/actions.ts";
import type { Account } from "../../../src/base/accounts/tables.ts";
import { accountSeq } from "../../../src/base/db/columns.ts";
import { commit } from "../../../src/base/db/commit.ts";
import type { Db } from "../../../src/base/db/port.ts";
import { retryOnConflict } from "../../../src/base/db/retry-on-conflict.ts";
import { build, first, rows, statement } from "../../../src/base/db/statement.ts";
import { newId } from "../../../src/base/lib/ids.ts";
import type { Ctx } from "../../../src/kit/context.ts";
import { change, createRecord, type Subject } from "../../../src/kit/journal/write.ts";
import { ctxOn } from "../../support/ctx.ts";

/** The journal's promises, held to on every database that the service runs on. */
export function journalSuite(name: string, openTestDb: () => Promise<Db>): void {
  describe(`the journal on ${name}`, () => {
    let db: Db;
    let account: Account;
    let ctx: Ctx;
    let row: Scratch;

    const insertOf = (values: Scratch) => statement(build.insert(scratch).values(values));
    const read = async (): Promise<Scratch> =>
      (await first(db, statement(build.select().from(scratch).where(eq(scratch.id, row.id)))))!;
    const logs = () =>
      rows<Record<string, string>>(db, {
        sql: "SELECT * FROM activity_logs WHERE loggable_id = ?",
        params: [row.id],
      });
    const set = (value: number, of: Scratch = row, by: Ctx = ctx) =>
      change(by, { action: "frequency_changed", subject: subjectOf(of), after: { value } });
    const newAccount = async (): Promise<Account> =>
      (
        await createAccount(
          db,
          { shop: `${newId()}.example`, timezone: "UTC", currency: "USD" },
          new Date().toISOString(),
        )
      ).account;

    beforeAll(async () => {
      db = await openTestDb();
      await commit({ db }, [{ sql: table, params: [] }]);
    });
    beforeEach(async () => {
      account = await newAccount();
      ctx = ctxOn(db, account);
      row = { id: newId(), account_seq: account.seq, revision: 1, value: 0, updated_at: ctx.now };
      await commit({ db }, [insertOf(row)]);
    });

    test("a change sets the new state, increments the revision, and writes one entry with the diff and the actor", async () => {
      await set(7);
      expect(await read()).toMatchObject({ value: 7, revision: 2 });
      const [entry, ...others] = await logs();
      expect(others).toEqual([]);
      expect(entry).toMatchObject({
        account_seq: account.seq,
        action: "frequency_changed",
        actor_type: "admin",
        actor_name: "Ada",
        loggable_type: "subscription",
        loggable_id: row.id,
        subscription_id: row.id,
      });
      expect(JSON.parse(entry!.changes!)).toEqual({ value: { from: 0, to: 7 } });
    });

    test("20 writers who decided on one revision: exactly one wins, with one entry", async () => {
      const outcomes = await Promise.allSettled(Array.from({ length: 20 }, (_, nth) => set(nth + 1)));
      const won = outcomes.flatMap(({ status }, nth) => (status === "fulfilled" ? [nth + 1] : []));
      expect(won).toHaveLength(1);
      expect(await read()).toMatchObject({ value: won[0], revision: 2 });
      expect(await logs()).toHaveLength(1);
    });

    test("of 20 writers who decide again once each wins or is VERSION_CONFLICT, and each revision has one entry", async () => {
      const addOne = () =>
        retryOnConflict(async () => {
          const now = await read();
          await set(now.value + 1, now);
        });
      const outcomes = await Promise.allSettled(Array.from({ length: 20 }, addOne));
      const won = outcomes.filter(({ status }) => status === "fulfilled").length;
      for (const outcome of outcomes)
        if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "VERSION_CONFLICT" });
      expect(won).toBeGreaterThan(0);
      expect(await read()).toMatchObject({ value: won, revision: 1 + won });
      expect(await logs()).toHaveLength(won);
    });

    test("a refusal by the rules passes through decide at once", async () => {
      let tries = 0;
      const refused = retryOnConflict(async () => {
        tries++;
        throw new Error("the rules say no");
      });
      await expect(refused).rejects.toThrow("the rules say no");
      expect(tries).toBe(1);
    });

    test("a refused entry leaves no change", async () => {
      const again = ctxOn(db, account, { newId: () => "the-same-id" });
      await set(1, row, again);
      await expect(set(2, await read(), again)).rejects.toMatchObject({ kind: "unique" });
      expect(await read()).toMatchObject({ value: 1, revision: 2 });
      expect(await logs()).toHaveLength(1);
    });

    test("a refused change leaves no entry", async () => {
      const after = { value: null as unknown as number };
      const refused = change(ctx, { action: "frequency_changed", subject: subjectOf(row), after });
      await expect(refused).rejects.toMatchObject({ kind: "not_null", on: "scratch.value" });
      expect(await read()).toEqual(row);
      expect(await logs()).toEqual([]);
    });

    test("a refused additional write leaves neither change nor entry", async () => {
      const entry = { action: "frequency_changed", subject: subjectOf(row), after: { value: 1 } } as const;
      await expect(change(ctx, entry, { writes: [insertOf(row)] })).rejects.toMatchObject({ kind: "unique" });
      expect(await read()).toEqual(row);
      expect(await logs()).toEqual([]);
    });

    test("a record of another account cannot be changed: nothing is written", async () => {
      const stranger = ctxOn(db, await newAccount());
      await expect(set(9, row, stranger)).rejects.toThrow();
      expect(await read()).toEqual(row);
      expect(await logs()).toEqual([]);
    });

    test("a record that no longer exists cannot be changed", async () => {
      await commit({ db }, [{ sql: "DELETE FROM scratch WHERE id = ?", params: [row.id] }]);
      await expect(set(1)).rejects.toThrow();
      expect(await logs()).toEqual([]);
    });

    test("a record is created with its entry, or not at all", async () => {
      const fresh = { ...row, id: newId() };
      await createRecord(
        ctx,
        [{ action: "subscription_created", subject: subjectOf(fresh) }],
        [insertOf(fresh)],
      );
      row = fresh;
      expect(await logs()).toHaveLength(1);
      const missing = { ...row, id: newId() };
      const entry = { action: "subscription_created", subject: subjectOf(missing) } as const;
      await expect(createRecord(ctx, [entry], [insertOf({ ...row, id: newId() })])).rejects.toThrow();
      row = missing;
      expect(await logs()).toEqual([]);
    });
  });
}

/** A record with a history, of no slice. */
const scratch = sqliteTable(
  "scratch",
  {
    id: text().notNull(),
    account_seq: accountSeq(),
    revision: integer().notNull(),
    value: integer().notNull(),
    updated_at: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.id] })],
);
type Scratch = typeof scratch.$inferSelect;

const table = `CREATE TABLE scratch (id TEXT NOT NULL, account_seq INTEGER NOT NULL, revision INTEGER NOT NULL,
  value INTEGER NOT NULL, updated_at TEXT NOT NULL, PRIMARY KEY (account_seq, id)) STRICT`;

function subjectOf(row: Scratch): Subject {
  return {
    type: "subscription",
    table: scratch,
    row,
    subscription_id: row.id,
    order_id: null,
    profile_id: null,
  };
}
