/** An import that has failed can go on, be released or be made anew, and blocks nothing. */
import { describe, expect, test, vi } from "vitest";
import { api } from "../../support/client.ts";
import { execute, select } from "../../support/database.ts";
import { type Json, openShop, type Shop } from "../../support/shops.ts";
import { later, openWorker, type TestWorker } from "../../support/worker.ts";
import { jobOf, moveIn, outcomesOf, path, rowOf, stage, start } from "./imports.ts";

const refs = ["a", "b", "c"];

type Failed = { shop: Shop; worker: TestWorker; rows: Json[]; id: string };

/** An import that has failed at its third row, as what came of that could not be stored ten times; by now it could. */
async function failed(): Promise<Failed> {
  const shop = await openShop();
  const worker = openWorker({}, shop.of.account.id);
  const rows = refs.map((ref) => rowOf(shop, ref));
  const id = await stage(shop, rows);
  await execute(
    `CREATE TRIGGER unmarked BEFORE UPDATE OF status ON job_rows WHEN NEW.job_id = '${id}' AND NEW.key = 'c' BEGIN SELECT RAISE(ABORT, 'no'); END`,
  );
  await start(shop, worker, id, true);
  for (let tries = 0; tries < 12; tries++) await later(worker, 700);
  vi.useRealTimers();
  await execute("DROP TRIGGER unmarked");
  expect(await jobOf(shop, id)).toMatchObject({ status: "FAILED", done: 2, failed: 0 });
  return { shop, worker, rows, id };
}

async function heldIn(shop: Shop): Promise<string[]> {
  const query = { limit: 100, billing_blocked: "true" };
  const { data } = (await api(shop.api, "GET", "/api/subscriptions", { query })).body;
  return data.map((one: Json) => one.migration_source_ref).sort();
}

async function post({ shop, worker }: Failed, to: string, body: object = {}): Promise<number> {
  const { status } = await worker.call(shop.api, "POST", to, { body });
  await worker.drain();
  return status;
}

describe("an import that has failed", () => {
  test("goes on once it is resumed, and blocks no other job before", async () => {
    const of = await failed();
    const bulk = { action: "resume", input: {}, filter: { search: "nobody at all" } };
    expect((await api(of.shop.api, "POST", "/api/bulk", { body: bulk })).status).toBe(202);
    expect((await of.worker.call(of.shop.api, "POST", `/api/jobs/${of.id}/resume`)).status).toBe(200);
    await of.worker.drain();
    expect(await jobOf(of.shop, of.id)).toMatchObject({ status: "DONE", done: 3, failed: 0, error: null });
    expect(await heldIn(of.shop)).toEqual(refs);
  });

  test("releases what it has made, some of it or all", async () => {
    const of = await failed();
    expect(await post(of, `${path}/${of.id}/release`, { subscription_refs: ["a"] })).toBe(200);
    expect(await heldIn(of.shop)).toEqual(["b"]);
    expect(await post(of, `${path}/${of.id}/release`)).toBe(200);
    expect(await heldIn(of.shop)).toEqual([]);
  });

  test("leaves what it has made to a second import of the file, which releases it", async () => {
    const of = await failed();
    const second = await moveIn(of.shop, of.worker, of.rows);
    expect(second.job).toMatchObject({ status: "DONE", done: 3, failed: 0, skipped: 0 });
    expect(await outcomesOf(of.shop, second.id)).toEqual({ a: "OK", b: "OK", c: "OK" });
    const made = await select<{ id: string }>(
      "SELECT id FROM subscriptions WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
      of.shop.of.account.id,
    );
    expect(made.map(({ id }) => id).sort()).toEqual(Object.values(second.ids).sort());
    expect(await post(of, `/api/jobs/${of.id}/undo`)).toBe(200);
    expect(await outcomesOf(of.shop, of.id)).toMatchObject({
      a: ["OK", " Cannot undo the import: another import has taken it over"],
    });
    expect(await post(of, `${path}/${second.id}/release`, { subscription_refs: ["a"] })).toBe(200);
    expect(await heldIn(of.shop)).toEqual(["b", "c"]);
    expect(await post(of, `${path}/${second.id}/release`)).toBe(200);
    expect(await heldIn(of.shop)).toEqual([]);
    expect(await post(of, `/api/jobs/${second.id}/undo`)).toBe(200);
    expect(await jobOf(of.shop, second.id)).toMatchObject({ status: "UNDONE", undone: 3 });
  });
});
