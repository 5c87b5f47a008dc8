import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createAccount } from "../../src/base/accounts/actions.ts";
import { createKey, revokeKey } from "../../src/base/accounts/keys.ts";
import { findKeyHolder, readAccount } from "../../src/base/accounts/queries.ts";
import { renameAccount } from "../../src/base/accounts/rename.ts";
import type { Account } from "../../src/base/accounts/tables.ts";
import { commit } from "../../src/base/db/commit.ts";
import type { Db, Statement, Value } from "../../src/base/db/port.ts";
import { raw, read, rows } from "../../src/base/db/statement.ts";
import { newId } from "../../src/base/lib/ids.ts";
import { raiseSequences } from "../../src/domain/events/actions.ts";
import { createReason, editReason, removeReason, reorderReasons } from "../../src/domain/reasons/actions.ts";
import { listActiveReasons, listReasons } from "../../src/domain/reasons/queries.ts";
import { ctxOn } from "../support/ctx.ts";

/** The storage port's promises, held to on every database that the service runs on. */
export function storageSuite(name: string, openTestDb: () => Promise<Db>): void {
  describe(`the storage port on ${name}`, () => {
    let db: Db;
    beforeAll(async () => {
      db = await openTestDb();
      await commit(
        { db },
        tables.map((text) => raw(text)),
      );
    });
    beforeEach(async () => {
      await commit({ db }, [raw("DELETE FROM things"), raw("DELETE FROM boxes")]);
    });
    const add = (id: number, label = `box ${id}`, size: Value = 1): Statement =>
      raw("INSERT INTO boxes (id, label, size) VALUES (?, ?, ?)", id, label, size);
    const ids = async () =>
      (await rows(db, raw<{ id: number }>("SELECT id FROM boxes ORDER BY id"))).map(({ id }) => id);

    describe("a batch is one atomic unit, in order", () => {
      test("all of it is written, or nothing, wherever the failure is", async () => {
        const failing = raw("INSERT INTO boxes (id, label) VALUES (99, NULL)");
        for (const statements of [
          [failing, add(1), add(2)],
          [add(1), failing, add(2)],
          [add(1), add(2), failing],
        ])
          await expect(commit({ db }, statements)).rejects.toMatchObject({ kind: "not_null" });
        expect(await ids()).toEqual([]);
        await commit({ db }, [add(1), add(2)]);
        expect(await ids()).toEqual([1, 2]);
      });

      test("a later statement sees what an earlier one wrote", async () => {
        const [, counted] = await commit({ db }, [
          add(1),
          raw<{ n: number }>("SELECT COUNT(*) AS n FROM boxes"),
          add(2),
        ]);
        expect(counted?.rows).toEqual([{ n: 1 }]);
      });

      test("a failing batch of one leaves the next batch usable", async () => {
        await expect(commit({ db }, [add(1, "x", 0)])).rejects.toMatchObject({ kind: "check" });
        await commit({ db }, [add(1)]);
        expect(await ids()).toEqual([1]);
      });

      test("concurrent batches do not mix", async () => {
        const pairs = Array.from({ length: 10 }, (_, nth) => [
          add(2 * nth + 1, `a${nth}`),
          add(2 * nth + 2, `b${nth}`),
        ]);
        await Promise.all(pairs.map((pair) => commit({ db }, pair)));
        expect(await ids()).toHaveLength(20);
      });
    });

    describe("a failed constraint is a ConstraintError that names the constraint", () => {
      beforeEach(() => commit({ db }, [add(1, "taken")]));
      test.each<[string, Statement, string, string]>([
        ["unique, several columns", add(2, "taken"), "unique", "boxes.label, boxes.size"],
        ["unique, the primary key", add(1, "other"), "unique", "boxes.id"],
        ["not null", raw("INSERT INTO boxes (id, label) VALUES (2, NULL)"), "not_null", "boxes.label"],
        ["check", add(2, "other", -1), "check", "size > 0"],
        ["foreign key", raw("INSERT INTO things (id, box_id) VALUES (1, 404)"), "foreign_key", ""],
      ])("%s", async (_, broken, kind, on) => {
        await expect(commit({ db }, [broken])).rejects.toMatchObject({ name: "ConstraintError", kind, on });
        await expect(commit({ db }, [add(3), broken])).rejects.toMatchObject({ kind, on });
        expect(await ids()).toEqual([1]);
      });

      test("our own fault is no ConstraintError", async () => {
        const fault = await commit({ db }, [raw("SELECT nonsense FROM boxes")]).catch(
          (error: Error) => error,
        );
        expect(fault).toBeInstanceOf(Error);
        expect((fault as Error).name).not.toBe("ConstraintError");
      });
    });

    describe("rows have one shape", () => {
      test("text, integers, reals and NULL are read as they were written, by column name and in order", async () => {
        const text = "日本語 🐶 '\"\\ \u0001 e\u0301";
        const [made] = await commit({ db }, [
          raw("INSERT INTO boxes VALUES (?, ?, ?, ?) RETURNING *", 7, text, 9_007_199_254_740_991, 0.1),
        ]);
        const row = { id: 7, label: text, size: 9_007_199_254_740_991, weight: 0.1 };
        expect(made?.rows).toEqual([row]);
        const found = await rows(db, raw("SELECT * FROM boxes"));
        expect(found).toEqual([row]);
        expect(Object.keys(found[0]!)).toEqual(["id", "label", "size", "weight"]);
        expect(Object.getPrototypeOf(found[0])).toBe(Object.prototype);
        await commit({ db }, [add(8, "null", null)]);
        expect(await rows(db, raw("SELECT size, weight FROM boxes WHERE id = 8"))).toEqual([
          { size: null, weight: null },
        ]);
      });

      test("a read without rows is an empty list, and RETURNING returns what was written", async () => {
        await commit({ db }, [add(1), add(2), add(3)]);
        expect(await rows(db, raw("SELECT * FROM boxes WHERE id = 404"))).toEqual([]);
        const [moved] = await commit({ db }, [raw("UPDATE boxes SET size = 5 WHERE id > 1 RETURNING id")]);
        expect(moved?.rows).toEqual([{ id: 2 }, { id: 3 }]);
      });

      test("several reads take one round trip", async () => {
        await commit({ db }, [add(1)]);
        const before = db.usage.db_round_trips;
        const both = await read(db, [
          raw<{ id: number }>("SELECT id FROM boxes"),
          raw<{ n: number }>("SELECT COUNT(*) AS n FROM boxes"),
        ]);
        expect(both).toEqual([[{ id: 1 }], [{ n: 1 }]]);
        expect(db.usage.db_round_trips - before).toBe(1);
      });
    });

    describe("many values in one parameter", () => {
      test("5,000 ids, read and written", async () => {
        const many = Array.from({ length: 5000 }, (_, nth) => nth + 1);
        const insert = "INSERT INTO boxes (id, label) SELECT value, 'box ' || value FROM json_each(?)";
        await commit({ db }, [raw(insert, JSON.stringify(many))]);
        const among = "SELECT COUNT(*) AS n FROM boxes WHERE id IN (SELECT value FROM json_each(?))";
        expect(await rows(db, raw(among, JSON.stringify(many.slice(1000))))).toEqual([{ n: 4000 }]);
      });
    });

    describe("the service's own statements", () => {
      let account: Account;
      const nowText = () => new Date().toISOString();
      const open = () =>
        createAccount(db, { shop: `${newId()}.example`, timezone: "UTC", currency: "USD" }, nowText());
      beforeEach(async () => {
        ({ account } = await open());
      });

      test("a shop has one account: a second one is INVALID_STATE and leaves no key", async () => {
        const again = createAccount(db, { shop: account.shop, timezone: "UTC", currency: "USD" }, nowText());
        await expect(again).rejects.toMatchObject({ code: "INVALID_STATE" });
        const orphans =
          "SELECT COUNT(*) AS n FROM api_keys WHERE account_seq NOT IN (SELECT seq FROM accounts)";
        expect(await rows(db, raw(orphans))).toEqual([{ n: 0 }]);
      });

      describe("renaming an account", () => {
        const rename = (shop: string, of: Pick<Account, "seq" | "id" | "shop"> = account) =>
          renameAccount(db, { account: of, shop, now: "2030-01-01T00:00:00.000Z" });
        const shopOf = async () => (await readAccount(db, account.id))?.shop;

        test("gives it the shop, and changes nothing else", async () => {
          const shop = `renamed-${account.shop}`;
          const renamed = { ...account, shop, updated_at: "2030-01-01T00:00:00.000Z" };
          expect(await rename(shop)).toEqual(renamed);
          expect(await readAccount(db, account.id)).toEqual(renamed);
        });

        test("is refused if the shop has an account", async () => {
          const { account: other } = await open();
          await expect(rename(other.shop)).rejects.toMatchObject({ code: "INVALID_STATE" });
          expect(await shopOf()).toBe(account.shop);
        });

        test("is refused if somebody else has renamed it meanwhile", async () => {
          await rename(`renamed-${account.shop}`);
          await expect(rename(`again-${account.shop}`)).rejects.toMatchObject({ code: "VERSION_CONFLICT" });
          expect(await shopOf()).toBe(`renamed-${account.shop}`);
        });

        test.each([
          ["the account is on a store", "UPDATE accounts SET store = 'shopify' WHERE id = ?"],
          [
            "it has a connection",
            "INSERT INTO shopify_connections (account_seq, credentials, shop, created_at, updated_at) VALUES ((SELECT seq FROM accounts WHERE id = ?), '', 'b.myshopify.com', '', '')",
          ],
        ])("is refused while %s", async (_, connecting) => {
          await commit({ db }, [raw(connecting, account.id)]);
          await expect(rename(`renamed-${account.shop}`)).rejects.toMatchObject({ code: "INVALID_STATE" });
          expect(await shopOf()).toBe(account.shop);
        });
      });

      test("once raised after a restore, accounts are numbered above all that the restore may have undone", async () => {
        await raiseSequences(db);
        const { account: next } = await open();
        // An object has no account but its own.
        expect(next.seq).toBeGreaterThan(account.seq + (db.engine === "d1" ? 100_000 : 0));
      });

      test("a key finds its account until it is revoked", async () => {
        const { key } = await createKey(db, { accountId: account.id, name: "integration", now: nowText() });
        const holder = await findKeyHolder(db, key.id, new Date());
        expect(holder).toMatchObject({
          account,
          key: { id: key.id, name: "integration", last_used_at: null },
        });
        await revokeKey(db, key.id, nowText());
        expect(await findKeyHolder(db, key.id, new Date())).toBeUndefined();
      });

      test("skip reasons: create, change, reorder, list, delete", async () => {
        const ctx = ctxOn(db, account);
        const made = [];
        for (const label of ["a", "b", "c"]) made.push(await createReason(ctx, "skip", { label }));
        expect(made.map(({ position, is_active }) => [position, is_active])).toEqual([
          [0, 1],
          [1, 1],
          [2, 1],
        ]);
        const [a, b, c] = made.map(({ id }) => id) as [string, string, string];
        await reorderReasons(ctx, "skip", [c, a, b]);
        await expect(reorderReasons(ctx, "skip", [c, a])).rejects.toMatchObject({
          code: "VALIDATION_FAILED",
        });
        await editReason(ctx, "skip", a, { is_active: false });
        expect((await listReasons(ctx, "skip")).map(({ id }) => id)).toEqual([c, a, b]);
        expect((await listActiveReasons(ctx, "skip")).map(({ id }) => id)).toEqual([c, b]);
        await removeReason(ctx, "skip", c);
        await expect(removeReason(ctx, "skip", c)).rejects.toMatchObject({ code: "NOT_FOUND" });
        expect((await listReasons(ctx, "skip")).map(({ label }) => label)).toEqual(["a", "b"]);
      });
    });
  });
}

const tables = [
  `CREATE TABLE boxes (id INTEGER PRIMARY KEY, label TEXT NOT NULL, size INTEGER CHECK (size > 0),
    weight REAL, UNIQUE (label, size)) STRICT`,
  "CREATE TABLE things (id INTEGER PRIMARY KEY, box_id INTEGER NOT NULL REFERENCES boxes (id)) STRICT",
];
