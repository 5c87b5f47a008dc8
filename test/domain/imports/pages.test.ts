/** A row of an import is written of what is so when it is written, and a page takes the documented statements. */
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { importCosts } from "../../../scripts/docs/figures.ts";
import { readAccount } from "../../../src/base/accounts/queries.ts";
import { d1Db } from "../../../src/base/db/client.ts";
import { findNextDue } from "../../../src/domain/billing/due/next-due.ts";
import { findUnlinkedOfAccount, unlinkedSweep } from "../../../src/domain/contracts/link.ts";
import { nextDueAt } from "../../../src/edges/operator/next-due.ts";
import { sweep } from "../../../src/kit/outbox/sweep.ts";
import { api } from "../../support/client.ts";
import { copiesOf } from "../../support/copies.ts";
import { ctxOn } from "../../support/ctx.ts";
import { execute, select } from "../../support/database.ts";
import { logged } from "../../support/jobs.ts";
import { deliver, type Json, openShop, read, type Shop, subscribe } from "../../support/shops.ts";
import { interrupted, measured } from "../../support/slow-database.ts";
import { startClock, useWorker } from "../../support/worker.ts";
import { jobOf, moveIn, must, outcomesOf, rowOf, rowsOf, stage, start } from "./imports.ts";

const worker = useWorker();

/** Writes the rows of an import; something happens once the page is read, before the first of them is written. */
async function writeAfter(shop: Shop, rows: Json[], happens: () => Promise<unknown>): Promise<string> {
  const id = await stage(shop, rows);
  await start(shop, worker, id, false);
  must(await worker.call(shop.api, "POST", `/api/jobs/${id}/start`, { body: { commit: true } }));
  worker.forget();
  let isFirst = true;
  const before = async () => {
    if (isFirst) {
      isFirst = false;
      await happens();
    }
  };
  const DB = interrupted(/insert into "subscriptions"/i, { before });
  const message = { type: "work_rows", account_id: shop.of.account.id, job_id: id };
  await deliver([message], { bindings: { ...env, ...worker.bindings, DB } });
  await worker.drain();
  expect((await jobOf(shop, id)).status).toBe("DONE");
  return id;
}

async function createProfile(shop: Shop, more: object): Promise<string> {
  return must(await api(shop.admin, "POST", "/api/profiles", { body: more })).data.id;
}

async function profilesOf(shop: Shop): Promise<Json[]> {
  return must(await api(shop.admin, "GET", "/api/profiles", { query: { limit: 100 } })).data;
}

describe("a row that was read with its page", () => {
  test("is not given to a customer who was deleted since", async () => {
    const shop = await openShop();
    const gone = await createProfile(shop, { email: "b@example.com" });
    const id = await writeAfter(shop, [rowOf(shop, "a"), rowOf(shop, "b")], async () =>
      must(await api(shop.admin, "DELETE", `/api/profiles/${gone}`)),
    );
    const [, b] = await rowsOf(shop, id);
    expect(b.status).toBe("OK");
    expect((await read(shop, b.record_id)).profile_id).not.toBe(gone);
  });

  test("is not written of lines that were erased with their customer since", async () => {
    const shop = await openShop();
    const id = await writeAfter(shop, [rowOf(shop, "a"), rowOf(shop, "b")], () =>
      execute("DELETE FROM import_lines WHERE ref = 'b' AND customer = 'b@example.com'"),
    );
    const outcomes = await outcomesOf(shop, id);
    expect(outcomes.a).toBe("OK");
    expect(outcomes.b).toContain("email is required");
    const emails = (await profilesOf(shop)).map(({ email }) => email);
    expect(emails).not.toContain("b@example.com");
  });

  test("makes no second profile of a store's customer who came since, nor of one of an earlier row", async () => {
    const shop = await openShop();
    const rows = [
      rowOf(shop, "a", { store_customer_id: "1" }),
      rowOf(shop, "b", { store_customer_id: "2" }),
      rowOf(shop, "c", { store_customer_id: "1" }),
    ];
    const id = await writeAfter(shop, rows, async () => {
      const other = await createProfile(shop, { email: "other@example.com" });
      await execute("UPDATE profiles SET store_customer_id = '2' WHERE id = ?", other);
    });
    const fault = "email is not that of the customer with this store_customer_id";
    expect(await outcomesOf(shop, id)).toEqual({
      a: "OK",
      b: ["FAILED", fault],
      c: ["FAILED", fault],
    });
  });

  test("is passed over where another import has moved it in since", async () => {
    const shop = await openShop();
    const id = await writeAfter(shop, [rowOf(shop, "a"), rowOf(shop, "b")], async () => {
      await execute(
        `INSERT INTO import_refs (account_seq, source, kind, ref, record_id, job_id, is_held)
          SELECT account_seq, 'old-shop', 'subscription', 'b', id, id, 1 FROM jobs WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)`,
        shop.of.account.id,
      );
    });
    expect(await outcomesOf(shop, id)).toEqual({
      a: "OK",
      b: ["SKIPPED", "subscription_ref is here already"],
    });
  });
});

test("no row, active or paused, is moved in beside a living subscription that gets its ref in the same moment", async () => {
  const shop = await openShop();
  const rows = [rowOf(shop, "a"), rowOf(shop, "b"), rowOf(shop, "c", { status: "PAUSED" })];
  const held: Record<string, string> = {};
  const id = await writeAfter(shop, rows, async () => {
    for (const migration_source_ref of ["b", "c"])
      held[migration_source_ref] = await subscribe(shop, { migration_source_ref });
  });
  const refused = (ref: string) => [
    "FAILED",
    `subscription_ref is that of the living subscription ${held[ref]}`,
  ];
  expect(await outcomesOf(shop, id)).toEqual({ a: "OK", b: refused("b"), c: refused("c") });
  const living = await select<Json>(
    "SELECT id FROM subscriptions WHERE migration_source_ref IN ('b', 'c') AND account_seq = (SELECT seq FROM accounts WHERE id = ?) ORDER BY migration_source_ref",
    shop.of.account.id,
  );
  expect(living.map((one) => one.id)).toEqual([held.b, held.c]);
  const { body } = await api(shop.api, "GET", "/api/events", { query: { types: "subscription.created" } });
  expect(body.data).toHaveLength(3);
});

describe("the statements of an import", () => {
  test("are those documented for a page that is checked, and for a row that is written", async () => {
    const [of23, of24, of25, of50] = [await costOf(23), await costOf(24), await costOf(25), await costOf(50)];
    expect(of50.check.statements - of25.check.statements).toBe(importCosts.statementsOfPage);
    expect(of24.write.statements - of23.write.statements).toBe(importCosts.statementsOfRow);
    expect(of24.write.trips - of23.write.trips).toBe(1);
  });

  test("look through 2,000 rows at most for payment methods that a provider keeps", async () => {
    const shop = await openShop();
    const id = await stage(shop, [rowOf(shop, "a")]);
    await start(shop, worker, id, false);
    await execute(
      `WITH RECURSIVE more (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM more WHERE n < 4500)
        INSERT INTO job_rows SELECT account_seq, job_id, more.n, key, 'OK', record_id, errors, summary, input, undo
          FROM job_rows, more WHERE job_id = ?`,
      id,
    );
    await execute("UPDATE jobs SET total = 4500 WHERE id = ?", id);
    must(await worker.call(shop.api, "POST", `/api/jobs/${id}/start`, { body: { commit: true } }));
    const { DB, reads } = measured();
    const message = { type: "work_rows", account_id: shop.of.account.id, job_id: id };
    await deliver([message], { bindings: { ...worker.bindings, DB } });
    await worker.drain();
    const pages = reads.filter(({ sql }) => /"input" is not null/i.test(sql));
    expect(pages.map(({ rows }) => rows)).toEqual([2001, 2001, 500]);
    expect(await jobOf(shop, id)).toMatchObject({ status: "DONE" });
    expect(await outcomesOf(shop, id)).toMatchObject({ a: "OK" });
  });
});

type Cost = { statements: number; trips: number };

/** Checks an import of so many rows, and then writes it, each in one message. */
async function costOf(many: number): Promise<{ check: Cost; write: Cost }> {
  const shop = await openShop();
  const rows = Array.from({ length: many }, (_, nth) => rowOf(shop, `ref-${nth}`));
  const id = await stage(shop, rows);
  const sums = async (act: () => Promise<unknown>): Promise<Cost> => {
    const lines = (await logged(act)).filter(({ event }) => event === "job");
    const sum = (name: string) => lines.reduce((all, line) => all + line[name], 0);
    return { statements: sum("db_statements"), trips: sum("db_round_trips") };
  };
  const check = await sums(() => start(shop, worker, id, false));
  const write = await sums(() => start(shop, worker, id, true));
  expect(await jobOf(shop, id)).toMatchObject({ status: "DONE", done: many });
  return { check, write };
}

/*
 * A large import is held for days. Cron, the test clock and the nightly comparison look for subscriptions that are to get a contract: their
 * reads stay the same.
 */
test("whoever looks for subscriptions without a contract reads none that is held", async () => {
  const shop = await openShop();
  await startClock(shop, new Date().toISOString());
  const { id } = await moveIn(shop, worker, [rowOf(shop, "a")]);
  const readsOf = async (): Promise<number[]> => {
    const { DB, reads } = measured();
    const db = d1Db(DB);
    const account = (await readAccount(db, shop.of.account.id))!;
    const ctx = await ctxOn(db, account);
    reads.length = 0;
    expect(await findUnlinkedOfAccount(ctx)).toEqual([]);
    expect((await findNextDue(ctx)).instant).toBeNull();
    await sweep(db, [unlinkedSweep], { realNow: new Date().toISOString(), send: async () => {} });
    await nextDueAt(db, new Date());
    return reads.map(({ rows }) => rows);
  };
  const before = await readsOf();
  const copies = await copiesOf((await rowsOf(shop, id))[0].record_id, 200);
  await execute(
    "UPDATE subscriptions SET store_contract_id = NULL WHERE id IN (SELECT value FROM json_each(?))",
    JSON.stringify(copies),
  );
  expect(await readsOf()).toEqual(before);
});
