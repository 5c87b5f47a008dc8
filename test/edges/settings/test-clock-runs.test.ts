/** A test clock does on each day on its way what real days would have done, through lost and doubled messages. */
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { readAccount } from "../../../src/base/accounts/queries.ts";
import { parseEnv } from "../../../src/base/env.ts";
import { openCtx } from "../../../src/kit/context.ts";
import { advanceClock } from "../../../src/runtime/jobs/advance-clock.ts";
import { handleJob } from "../../../src/runtime/jobs/handle.ts";
import type { Store } from "../../../src/stores/port.ts";
import { execute, select, testDb } from "../../support/database.ts";
import { logged } from "../../support/jobs.ts";
import {
  actionsOf,
  addPlan,
  deliver,
  done,
  entriesOf,
  itemOf,
  type Json,
  openShop,
  read,
  type Shop,
  subscribe,
} from "../../support/shops.ts";
import { interrupted } from "../../support/slow-database.ts";
import {
  advance,
  clockOf,
  deliveriesOf,
  later,
  linked,
  openWorker,
  ordersOf,
  startClock,
  type TestWorker,
} from "../../support/worker.ts";

const path = "/api/account/test-clock";
let worker: TestWorker;
beforeAll(() => {
  worker = openWorker();
});
afterEach(() => {
  vi.useRealTimers();
});

const begin = "2030-01-15T12:00:00.000Z";

function daysOn(days: number, from = begin): string {
  return new Date(Date.parse(from) + days * 86_400_000).toISOString();
}

/** A merchant whose account has its own time. */
async function apart(options: Parameters<typeof openShop>[0] = {}, instant = begin): Promise<Shop> {
  const of = await openShop(options);
  await startClock(of, instant);
  return of;
}

function move(of: Shop, advance_to: unknown) {
  return worker.call(of.api, "POST", path, { body: { advance_to } });
}

test("resumes, retries, reminders and cycles on the way, each on its day", async () => {
  const of = await apart();
  const paused = await linked(of, worker, { next_delivery_date: "2030-01-16" });
  await done(of.api, "POST", paused, "pause", { pause_until: "2030-01-18" });
  const failing = await linked(of, worker, {
    next_delivery_date: "2030-01-16",
    store_payment_method_id: "pm_card_declined",
  });
  const weekly = await linked(of, worker, { next_delivery_date: "2030-01-20" });
  await advance(of, worker, 10);
  const at = async (id: string) =>
    (await entriesOf(id))
      .slice(2)
      .map(({ action, ...entry }) => [action, (entry as Json).created_at.slice(0, 10)]);
  expect(await at(paused)).toEqual([
    ["subscription_paused", "2030-01-15"],
    ["subscription_resumed", "2030-01-18"],
    ["payment_reminder_due", "2030-01-20"],
    ["billing_started", "2030-01-23"],
    ["billing_succeeded", "2030-01-23"],
  ]);
  expect(
    (await at(failing)).filter(([action]) => action === "billing_started").map(([, date]) => date),
  ).toEqual(["2030-01-16", "2030-01-17", "2030-01-19", "2030-01-23"]);
  expect(await at(weekly)).toEqual([
    ["payment_reminder_due", "2030-01-17"],
    ["billing_started", "2030-01-20"],
    ["billing_succeeded", "2030-01-20"],
    ["payment_reminder_due", "2030-01-24"],
  ]);
  expect(await read(of, weekly)).toMatchObject({
    payment_reminder_status: "DUE",
    last_payment_reminder_billing_date: "2030-01-27",
    last_payment_reminder_sent_at: null,
  });
});

test("what has failed once is done on its day all the same", async () => {
  const of = await apart();
  const id = await linked(of, worker, { next_delivery_date: "2030-01-18" });
  const before = () => Promise.reject(new Error("The database does not know that"));
  const DB = interrupted(/insert into "billing_attempts"/i, { before, once: true });
  await move(of, daysOn(5));
  const lines = await logged(() => deliver(worker.sent(), { bindings: { ...worker.bindings, DB } }));
  expect(lines.filter(({ event }) => event === "queue_job_failed")).toHaveLength(1);
  worker.forget();
  expect((await entriesOf(id)).filter(({ action }) => action === "billing_started")).toMatchObject([
    { created_at: "2030-01-18T12:00:00.000Z" },
  ]);
});

test("a subscription of every fourth day for 400 days, in several invocations", async () => {
  const of = await apart();
  const plan = await addPlan(of, { billing_interval: "DAY", billing_interval_count: 4 });
  const id = await linked(of, worker, { next_delivery_date: "2030-01-15", lines: [itemOf(plan)] });
  await advance(of, worker, 400);
  const orders = await deliveriesOf(of, id);
  expect(orders).toHaveLength(101);
  expect(orders[0]).toEqual(["2030-01-15", 10]);
  expect(orders.at(-1)).toEqual([daysOn(400).slice(0, 10), 10]);
  expect(await read(of, id)).toMatchObject({ current_billing_cycle: 102, total_revenue: 1010 });
});

test("more work on one day than one invocation may do is done in several", async () => {
  const of = await apart();
  for (let nth = 0; nth < 60; nth++) await subscribe(of, { next_delivery_date: "2030-01-16" });
  const lines: string[] = [];
  const spy = vi.spyOn(console, "log").mockImplementation((line) => void lines.push(String(line)));
  await advance(of, worker, 2).finally(() => spy.mockRestore());
  const advances = lines.map((line) => JSON.parse(line)).filter(({ type }) => type === "advance_clock");
  expect(advances.length).toBeGreaterThan(1);
  for (const { db_round_trips } of advances) expect(db_round_trips).toBeLessThan(1000);
  const orders = await select<{ subscription_id: string }>(
    "SELECT subscription_id FROM order_subscriptions WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
    of.of.account.id,
  );
  expect([orders.length, new Set(orders.map((row) => row.subscription_id)).size]).toEqual([60, 60]);
});

describe("daylight saving", () => {
  test.each([
    ["America/New_York", "2030-03-05T04:30:00.000Z", "2030-03-05"],
    ["America/New_York", "2030-10-29T03:30:00.000Z", "2030-10-29"],
    ["Europe/Berlin", "2030-03-25T22:30:00.000Z", "2030-03-26"],
    ["Australia/Lord_Howe", "2030-10-01T13:00:00.000Z", "2030-10-02"],
  ])("no day is left out: %s from %s", async (timezone, instant, first) => {
    const of = await apart({ timezone }, instant);
    const daily = await addPlan(of, { billing_interval: "DAY" });
    const id = await linked(of, worker, { next_delivery_date: first, lines: [itemOf(daily)] });
    await advance(of, worker, 14);
    const dates = (await deliveriesOf(of, id)).map(([date]) => date);
    const all = dates.map((_, nth) => daysOn(nth, `${dates[0]}T00:00:00.000Z`).slice(0, 10));
    expect(dates).toEqual(all);
  });
});

describe("a lost message", () => {
  test("the tick sends it again, and the remaining work is done", async () => {
    const of = await apart();
    const id = await linked(of, worker);
    await move(of, daysOn(20));
    worker.forget();
    await worker.tick();
    expect(await clockOf(of)).toBe(daysOn(20));
    expect(await ordersOf(of, id)).toHaveLength(3);
  });

  test("delivered twice, at once and late, runs every day once", async () => {
    const of = await apart();
    const id = await linked(of, worker);
    await move(of, daysOn(20));
    worker.forget();
    const job = { type: "advance_clock", account_id: of.of.account.id };
    await Promise.all([deliver([job, job]), deliver([job])]);
    await worker.tick();
    await deliver([job]);
    expect(await clockOf(of)).toBe(daysOn(20));
    expect(await ordersOf(of, id)).toHaveLength(3);
    expect((await actionsOf(id)).filter((action) => action === "billing_succeeded")).toHaveLength(3);
  });

  test("if the invocation that moved it died, another continues when the lease has ended", async () => {
    const of = await apart();
    const id = await linked(of, worker);
    await move(of, daysOn(7));
    worker.forget();
    const lease = new Date(Date.now() + 60_000).toISOString();
    await execute("UPDATE accounts SET clock_lease_until = ? WHERE id = ?", lease, of.of.account.id);
    await worker.tick();
    expect(await clockOf(of)).toBe(begin);
    await later(worker, 61);
    expect(await clockOf(of)).toBe(daysOn(7));
    vi.useRealTimers();
    expect(await ordersOf(of, id)).toHaveLength(2);
  });

  test("whoever moves it waits for a charge in hand, and writes nothing once its lease was taken over", async () => {
    const of = await apart();
    const id = await linked(of, worker, { store_payment_method_id: "pm_card_declined" });
    await move(of, daysOn(20));
    worker.forget();
    const account = (await readAccount(testDb(), of.of.account.id))!;
    const overtake = async (): Promise<void> => {
      await execute("UPDATE accounts SET clock_lease_until = '2020' WHERE id = ?", account.id);
      await deliver([{ type: "advance_clock", account_id: account.id }]);
      expect(await clockOf(of)).toBe(begin);
    };
    const opened = { env: parseEnv(worker.bindings), db: testDb(), account, log: () => {} };
    const late = advanceClock(
      await openCtx({ ...opened, actor: { type: "system", name: null }, realNow: new Date() }),
      (ctx, job) => handleJob({ ...ctx, store: slowly(ctx.store, overtake) }, job),
    );
    await expect(late).rejects.toThrow("Another invocation moves the test clock");
    expect(await actionsOf(id)).not.toContain("billing_failed");
    await later(worker, 61);
    vi.useRealTimers();
    expect(await clockOf(of)).toBe(daysOn(20));
    const days = async (action: string): Promise<string[]> =>
      ((await entriesOf(id)) as Json[])
        .filter((entry) => entry.action === action)
        .map((entry) => entry.created_at);
    expect(await days("billing_started")).toEqual([begin, ...[1, 3, 7].map((nth) => daysOn(nth))]);
    expect(await days("billing_failed")).toEqual([begin, ...[1, 3, 7].map((nth) => daysOn(nth))]);
    expect(await days("dunning_exhausted")).toEqual([daysOn(7)]);
  });
});

/** A store that answers the first charge only once something else has happened. */
function slowly(store: Store, meanwhile: () => Promise<void>): Store {
  let isFirst = true;
  return {
    ...store,
    async charge(charge) {
      if (isFirst) {
        isFirst = false;
        await meanwhile();
      }
      return store.charge(charge);
    },
  };
}
