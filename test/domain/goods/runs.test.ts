/** A forecast of many subscriptions is a job that counts each page once, whatever comes twice or dies. */
import { describe, expect, test } from "vitest";
import { requestCosts } from "../../../scripts/docs/figures.ts";
import { addDays } from "../../../src/base/lib/time/calendar.ts";
import { api } from "../../support/client.ts";
import { execute, select } from "../../support/database.ts";
import { areOnObjects } from "../../support/objects.ts";
import { put, subscriptionOf, usageOf } from "../../support/records.ts";
import { deliver, inDays, itemOf, type Json, openShop, type Shop } from "../../support/shops.ts";
import { lineWith } from "../../support/stored-subscriptions.ts";
import { linked, setClock, shipNow, useWorker } from "../../support/worker.ts";
import { cellsIn, forecast, path } from "./forecasts.ts";

const worker = useWorker();
const days = { from: inDays(0), to: inDays(55) };
const projected = { ...days, horizon: "projected" };

/** Stores so many weekly subscriptions, delivered from tomorrow on, more than a page of them. */
async function storeMany(shop: Shop, many: number): Promise<void> {
  const rows = Array.from({ length: many }, (_, nth) =>
    subscriptionOf(shop.of, shop.profileId, {
      number: 2_000 + nth,
      status: "ACTIVE",
      anchor_date: inDays(1),
      next_delivery_date: inDays(1),
      next_billing_date: inDays(1),
      next_production_date: null,
      ...{ billing_interval: "WEEK", billing_interval_count: 1 },
      ...{ delivery_interval: "WEEK", delivery_interval_count: 1 },
      ...{
        next_index: 0,
        next_billed_index: 0,
        activation: 1,
        current_billing_cycle: 1,
        deliveries_per_billing: 1,
      },
      ...{ max_cycles: null, payment_method_id: null, delivery_slot_id: null },
      store_contract_id: 500_000 + nth,
      lines: JSON.stringify([lineWith({ store_variant_id: "v" })]),
    }),
  );
  await put("subscriptions", rows);
}

async function jobOf(shop: Shop, id: string): Promise<Json> {
  return (await api(shop.api, "GET", `/api/jobs/${id}`)).body.data;
}

async function start(shop: Shop, body: object = days): Promise<Json> {
  return (await worker.call(shop.api, "POST", `${path}/runs`, { body })).body.data;
}

async function eventsOf(shop: Shop): Promise<[string, Json][]> {
  const { body } = await api(shop.api, "GET", "/api/events", { query: { types: "job.*", limit: 100 } });
  return body.data.map(({ type, metadata, subject }: Json) => [type, { ...metadata, subject: subject.type }]);
}

function weekly(count: number): string[] {
  return Array.from({ length: 8 }, (_, week) => `${inDays(1 + 7 * week)} v 0/${count}/0`);
}

describe("a forecast that is taken", () => {
  test("is a job, which is answered at once and says where it stands", async () => {
    const shop = await openShop();
    await storeMany(shop, 3);
    const before = (await api(shop.api, "GET", "/api/events", { query: { limit: 100 } })).body.meta
      .next_after;
    const started = await worker.call(shop.api, "POST", `${path}/runs`, { body: days });
    const { id } = started.body.data;
    expect([started.status, started.headers.get("Location"), started.headers.get("Retry-After")]).toEqual([
      ...[202, `/api/jobs/${id}`, "2"],
    ]);
    expect(started.body.data).toMatchObject({
      kind: "FORECAST",
      status: "RUNNING",
      total: 1,
      done: 0,
      error: null,
    });
    await worker.drain();
    const read = await api(shop.api, "GET", `/api/jobs/${id}`);
    expect(read.body.data).toMatchObject({ status: "DONE", total: 1, done: 1, failed: 0, skipped: 0 });
    expect(read.body.data.summary).toEqual({ ...days, as_of: expect.any(String), sequence: before });
    expect(read.headers.get("Retry-After")).toBeNull();
    const again = await api(shop.api, "GET", `/api/jobs/${id}`, {
      headers: { "If-None-Match": read.headers.get("ETag")! },
    });
    expect(again.status).toBe(304);
    const answer = await forecast(shop, projected);
    expect(cellsIn(answer)).toEqual(weekly(3));
    expect(answer.meta).toEqual({
      ...{ as_of: read.body.data.summary.as_of, sequence: before, horizon: "projected", complete: true },
    });
    expect((await api(shop.api, "GET", `/api/jobs/${id}/rows`)).body.data).toEqual([
      { n: 1, key: "2000-2002", status: "OK", record_id: null, errors: [], summary: { subscriptions: 3 } },
    ]);
    expect(await eventsOf(shop)).toEqual([
      ["job.started", { kind: "FORECAST", subject: "job" }],
      [
        "job.done",
        { kind: "FORECAST", counts: { total: 1, done: 1, failed: 0, skipped: 0 }, subject: "job" },
      ],
    ]);
    const { body } = await api(shop.api, "GET", "/api/jobs", { query: { kind: "FORECAST", status: "DONE" } });
    expect(body.data.map((job: Json) => job.id)).toEqual([id]);
  });

  test("counts each page once, whatever comes twice, is lost or dies between two pages", async () => {
    const shop = await openShop();
    await storeMany(shop, 2_100);
    const { id } = await start(shop);
    const message = { type: "work_job", account_id: shop.of.account.id, job_id: id };
    worker.forget();
    const bindings = worker.bindings;
    await Promise.all([deliver([message], { bindings }), deliver([message], { bindings })]);
    expect(await jobOf(shop, id)).toMatchObject({ status: "RUNNING" });
    const partly = await forecast(shop, projected);
    expect(partly.meta.complete).toBe(false);
    worker.forget();
    await execute("UPDATE jobs SET lease_until = ?, next_action_at = ? WHERE id = ?", soon(60), soon(60), id);
    await deliver([message], { bindings });
    expect((await jobOf(shop, id)).done, "somebody has the page").toBeLessThan(3);
    setClock(Date.now() + 200_000);
    await worker.tick();
    expect(await jobOf(shop, id)).toMatchObject({ status: "DONE", total: 3, done: 3 });
    expect(cellsIn(await forecast(shop, projected))).toEqual(weekly(2_100));
  });

  test("counts a delivery once that is ordered while it is taken", async () => {
    const shop = await openShop();
    const ids = [];
    for (let nth = 0; nth < 3; nth++)
      ids.push(
        await linked(shop, worker, {
          next_delivery_date: inDays(0),
          lines: [itemOf(shop.plan, { store_variant_id: "v" })],
        }),
      );
    await shipNow(shop, worker, ids[0]!, {});
    await worker.drain();
    const { id } = await start(shop);
    await shipNow(shop, worker, ids[1]!, {});
    const messages = worker.sent();
    worker.forget();
    await deliver(
      messages.filter(({ type }) => type !== "work_job"),
      { bindings: worker.bindings },
    );
    await deliver([{ type: "work_job", account_id: shop.of.account.id, job_id: id }], {
      bindings: worker.bindings,
    });
    await worker.drain();
    expect(cellsIn(await forecast(shop, { ...projected, to: inDays(0) }))).toEqual([`${inDays(0)} v 2/1/0`]);
  });

  test("stops while it is paused, and does nothing more once it is cancelled", async () => {
    const shop = await openShop();
    await storeMany(shop, 1_100);
    const act = async (id: string, verb: string, query = {}) => {
      const { status, body } = await worker.call(shop.api, "POST", `/api/jobs/${id}/${verb}`, { query });
      return [status, body.data?.status ?? body.errorCode];
    };
    const { id } = await start(shop);
    expect(await act(id, "pause", { dry_run: true })).toEqual([200, "PAUSED"]);
    expect(await act(id, "pause")).toEqual([200, "PAUSED"]);
    await worker.drain();
    expect(await jobOf(shop, id)).toMatchObject({ status: "PAUSED", done: 0 });
    expect(await act(id, "pause")).toEqual([200, "PAUSED"]);
    expect(await act(id, "undo")).toEqual([409, "INVALID_STATE"]);
    expect(await act(id, "start")).toEqual([409, "INVALID_STATE"]);
    expect(await act(id, "resume")).toEqual([200, "RUNNING"]);
    await worker.drain();
    expect(await jobOf(shop, id)).toMatchObject({ status: "DONE", done: 2 });
    for (const verb of ["start", "pause", "resume", "cancel", "undo"])
      expect(await act(id, verb)).toEqual([409, "INVALID_STATE"]);
    const other = await start(shop);
    expect(await act(other.id, "cancel")).toEqual([200, "CANCELLED"]);
    await worker.drain();
    expect(await jobOf(shop, other.id)).toMatchObject({ status: "CANCELLED", done: 0 });
    expect((await eventsOf(shop)).map(([type]) => type)).toEqual([
      ...["job.started", "job.paused", "job.resumed", "job.done", "job.started", "job.cancelled"],
    ]);
    expect((await forecast(shop, projected)).meta.complete).toBe(true);
  });

  test("takes the place of an earlier one of the same days, and is deleted after 30 days", async () => {
    const shop = await openShop();
    await storeMany(shop, 1);
    const first = await start(shop);
    await worker.drain();
    const second = await start(shop);
    await worker.drain();
    const pages = await select<{ job_id: string }>("SELECT job_id FROM forecast_pages");
    expect(pages.map(({ job_id }) => job_id)).toContain(second.id);
    expect(pages.map(({ job_id }) => job_id)).not.toContain(first.id);
    await execute("UPDATE jobs SET prune_at = ? WHERE id = ?", soon(-1), second.id);
    await worker.tick();
    expect((await api(shop.api, "GET", `/api/jobs/${second.id}`)).status).toBe(404);
    expect(await select("SELECT n FROM job_rows WHERE job_id = ?", second.id)).toEqual([]);
    expect(await select("SELECT n FROM forecast_pages WHERE job_id = ?", second.id)).toEqual([]);
  });

  test("of very many rows goes 30 days after its end over several ticks, its rows first", async () => {
    const shop = await openShop();
    await storeMany(shop, 1);
    const { id } = await start(shop);
    await worker.drain();
    await execute(
      `INSERT INTO job_rows (account_seq, job_id, n, key, status, errors, summary)
        SELECT account_seq, job_id, its.value, job_rows.key, status, errors, summary FROM job_rows, json_each(?) AS its
        WHERE job_id = ? AND n = 1`,
      JSON.stringify(Array.from({ length: 6_000 }, (_, nth) => nth + 2)),
      id,
    );
    await execute("UPDATE jobs SET prune_at = ? WHERE id = ?", soon(-1), id);
    await worker.tick();
    expect((await api(shop.api, "GET", `/api/jobs/${id}`)).status).toBe(200);
    await worker.tick();
    expect((await api(shop.api, "GET", `/api/jobs/${id}`)).status).toBe(404);
  });

  test("that fails ten times at a page has failed, and says so; it goes on once it is resumed", async () => {
    const shop = await openShop();
    await storeMany(shop, 1);
    const { id } = await start(shop);
    await execute(
      `CREATE TRIGGER unkept BEFORE INSERT ON forecast_pages WHEN NEW.job_id = '${id}' BEGIN SELECT RAISE(ABORT, 'no'); END`,
    );
    for (let tries = 0; tries < 10; tries++) {
      await worker.drain();
      await execute("UPDATE jobs SET next_action_at = ? WHERE id = ? AND status = 'RUNNING'", soon(0), id);
      await worker.tick();
    }
    expect(await jobOf(shop, id)).toMatchObject({ status: "FAILED", error: expect.any(String), done: 0 });
    expect((await eventsOf(shop)).at(-1)).toMatchObject(["job.failed", { kind: "FORECAST" }]);
    await execute("DROP TRIGGER unkept");
    const resumed = await worker.call(shop.api, "POST", `/api/jobs/${id}/resume`);
    expect(resumed.body.data).toMatchObject({ status: "RUNNING", error: null, finished_at: null });
    await worker.drain();
    expect(await jobOf(shop, id)).toMatchObject({ status: "DONE", done: 1 });
  });

  test("is begun by nobody without jobs:write and orders:read", async () => {
    const shop = await openShop();
    const status = async (...scopes: string[]) => {
      const { body } = await api(shop.of, "POST", "/api/auth/token", {
        body: { actor_type: "admin", name: "Ada", scopes },
      });
      const as = { credentials: { Authorization: `Bearer ${body.access_token}` } };
      return (await worker.call(as, "POST", `${path}/runs`, { body: days, query: { dry_run: true } })).status;
    };
    expect(await status("jobs:write")).toBe(403);
    expect(await status("orders:read")).toBe(403);
    expect(await status("jobs:write", "orders:read")).toBe(200);
  });
});

describe("a forecast that was never taken", () => {
  const ask = (shop: Shop, query: object = projected, headers = {}) =>
    worker.call(shop.api, "GET", path, { query: query as Record<string, string>, headers });
  const jobsOf = async (shop: Shop): Promise<Json[]> => (await api(shop.api, "GET", "/api/jobs")).body.data;

  test("is projected at once where there are at most 2,000 subscriptions, and no job is made", async () => {
    const shop = await openShop();
    await storeMany(shop, 2_000);
    const sequence = (await api(shop.api, "GET", "/api/events", { query: { limit: 100 } })).body.meta
      .next_after;
    const { answer, ...cost } = await usageOf(() => api(shop.api, "GET", path, { query: projected }));
    // An object counts in a log line of its own.
    if (!areOnObjects) {
      expect({ statements: cost.db_statements, trips: cost.db_round_trips }).toEqual(requestCosts.forecast);
      expect(cost.rows_read).toBeLessThanOrEqual(12 * 2_000);
    }
    const body = answer.body as Json;
    expect(cellsIn(body)).toEqual(weekly(2_000));
    expect(body.meta).toEqual({
      ...{ as_of: expect.any(String), sequence, horizon: "projected", complete: true },
    });
    expect(await jobsOf(shop)).toEqual([]);
  });

  test("is empty and complete where there is nothing to deliver", async () => {
    const { data, meta } = await forecast(await openShop(), projected);
    expect([data, meta.complete]).toEqual([[], true]);
  });

  test("is begun where there are more, once, and the answer is its job until it is there", async () => {
    const shop = await openShop();
    await storeMany(shop, 2_001);
    const answers = await Promise.all([ask(shop), ask(shop), ask(shop)]);
    answers.push(await ask(shop), await ask(shop, projected, { Accept: "text/csv" }));
    const [job] = await jobsOf(shop);
    for (const { status, headers, body } of answers)
      expect([status, headers.get("Location"), headers.get("Retry-After"), body.data.id]).toEqual([
        ...[202, `/api/jobs/${job!.id}`, "2", job!.id],
      ]);
    expect(await jobsOf(shop)).toHaveLength(1);
    expect(job).toMatchObject({ kind: "FORECAST", status: "RUNNING", summary: days });
    expect(await eventsOf(shop)).toEqual([["job.started", { kind: "FORECAST", subject: "job" }]]);
    expect((await ask(shop, { ...days, to: days.from, horizon: "next" })).status).toBe(200);
    await worker.drain();
    const there = await ask(shop);
    expect([there.status, there.body.meta.complete]).toEqual([200, true]);
    expect(cellsIn(there.body)).toEqual(weekly(2_001));
    expect(await jobsOf(shop)).toHaveLength(1);
  });

  test("of days that the last one has in part, or that was cancelled, is begun as well", async () => {
    const shop = await openShop();
    await storeMany(shop, 2_001);
    await start(shop);
    await worker.drain();
    const later = { from: inDays(30), to: inDays(70), horizon: "projected" };
    const first = await ask(shop, later);
    expect([first.status, first.body.data.summary]).toEqual([
      ...[202, expect.objectContaining({ from: later.from, to: later.to })],
    ]);
    await worker.call(shop.api, "POST", `/api/jobs/${first.body.data.id}/cancel`);
    const second = await ask(shop, later);
    expect([second.status, second.body.data.id === first.body.data.id]).toEqual([202, false]);
  });
});

describe("every night", () => {
  test("a forecast of 62 days is taken, once, where there are subscriptions", async () => {
    const [shop, empty] = [await openShop({ timezone: "UTC" }), await openShop()];
    await storeMany(shop, 1);
    const night = soon(-1);
    await execute(
      "UPDATE reconciliations SET next_forecast_at = ? WHERE account_seq IN (SELECT seq FROM accounts WHERE id IN (?, ?))",
      ...[night, shop.of.account.id, empty.of.account.id],
    );
    await worker.tick();
    await worker.tick();
    const { body } = await api(shop.api, "GET", "/api/jobs");
    expect(body.data).toHaveLength(1);
    expect(body.data[0]).toMatchObject({ kind: "FORECAST", status: "DONE", created_by: null });
    expect(body.data[0].summary).toMatchObject({ from: inDays(0), to: inDays(61) });
    expect((await api(empty.api, "GET", "/api/jobs")).body.data).toEqual([]);
    const [next] = await select<{ next_forecast_at: string }>(
      "SELECT next_forecast_at FROM reconciliations WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
      shop.of.account.id,
    );
    expect(next!.next_forecast_at).toBe(`${addDays(inDays(0), 1)}T04:00:00.000Z`);
    const message = {
      type: "take_forecast",
      account_id: shop.of.account.id,
      postponed_to: "2026-01-01T00:00:00.000Z",
    };
    await deliver([message, message], { bindings: worker.bindings });
    expect((await api(shop.api, "GET", "/api/jobs")).body.data).toHaveLength(1);
  });
});

function soon(seconds: number): string {
  return new Date(Date.now() + seconds * 1000).toISOString();
}
