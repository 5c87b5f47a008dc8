/** An open attempt keeps what it charges: changes are refused or concern the next one, and a cancellation withdraws it. */
import { describe, expect, test } from "vitest";
import { api } from "../../support/client.ts";
import { select } from "../../support/database.ts";
import { tickAt } from "../../support/jobs.ts";
import {
  actionsOf,
  addSlot,
  deliver,
  done,
  inDays,
  type Json,
  nextDay,
  on,
  openShop,
  outbox,
  read,
  rowOf,
} from "../../support/shops.ts";
import { interrupted, isolateEnded } from "../../support/slow-database.ts";
import { rowsOf } from "../../support/snapshot.ts";
import {
  advance,
  attemptsOf,
  chargesOf,
  later,
  linked,
  ordersOf,
  shipNow,
  useShop,
} from "../../support/worker.ts";

const { shop, worker } = useShop();

const now = { soon: false };

/** A subscription with an attempt that waits in the queue. */
async function queued(): Promise<string> {
  const id = await linked(shop, worker, { next_delivery_date: inDays(30) });
  await shipNow(shop, worker, id);
  return id;
}

/** One whose attempt the store has, and has not answered. */
async function sent(): Promise<string> {
  const id = await linked(shop, worker, {
    next_delivery_date: inDays(30),
    store_payment_method_id: "pm_pending",
  });
  await shipNow(shop, worker, id);
  await worker.drain(now);
  expect(await attemptsOf(shop, id)).toMatchObject([{ status: "PROCESSING" }]);
  return id;
}

describe.each([
  ["QUEUED", queued],
  ["PROCESSING", sent],
] as const)("while an attempt is %s", (_, begun) => {
  test.each<[string, "POST" | "PUT", Json]>([
    ["skip", "POST", { skip_weeks: 1 }],
    ["unskip", "POST", {}],
    ["schedule", "PUT", { next_delivery_date: inDays(20) }],
    ["schedule", "PUT", { delivery_slot_id: null }],
  ])("%s (%s) is 409 BILLING_IN_PROGRESS", async (part, method, body) => {
    const id = await begun();
    const before = await rowsOf(shop.of.account.id);
    for (const query of [{}, { dry_run: true }]) {
      const answer = await api(shop.api, method, on(id, part), { body, query });
      expect([answer.status, answer.body.errorCode]).toEqual([409, "BILLING_IN_PROGRESS"]);
    }
    expect(await rowsOf(shop.of.account.id)).toBe(before);
    await worker.drain();
    expect((await attemptsOf(shop, id))[0].status).toBe("SUCCEEDED");
  });

  test("instructions, lines, address and frequency may change, and the order is what was frozen", async () => {
    const id = await begun();
    await done(shop.api, "PUT", id, "delivery-instructions", { delivery_instructions: "Ring" });
    await done(shop.api, "PUT", id, "frequency", { interval: "MONTH", interval_count: 2 });
    await worker.drain();
    expect(await ordersOf(shop, id)).toMatchObject([{ total: 10, delivery_date: inDays(0) }]);
    expect(await read(shop, id)).toMatchObject({ billing_interval: "MONTH", current_billing_cycle: 2 });
  });
});

describe.each([
  ["pause", "PAUSED", "subscription_paused"],
  ["cancel", "CANCELLED", "subscription_cancelled"],
] as const)("%s", (part, status, action) => {
  test("withdraws an attempt that is QUEUED: CANCELLED, and never charged", async () => {
    const id = await queued();
    await done(shop.api, "POST", id, part);
    expect(await attemptsOf(shop, id)).toMatchObject([
      { status: "CANCELLED", settled_at: expect.any(String), order_id: null },
    ]);
    expect((await rowOf(id)).open_attempt_id).toBeNull();
    await worker.drain();
    await later(worker, 61);
    await later(worker, 24 * 3600);
    expect(await chargesOf(id)).toEqual([]);
    expect(
      await select("SELECT 1 FROM orders WHERE billing_attempt_id IS NOT NULL AND profile_id = ?", id),
    ).toEqual([]);
    expect((await actionsOf(id)).slice(2)).toEqual(["ship_now_requested", action]);
  });

  test("leaves one that was sent: its success is recorded, the status stays", async () => {
    const id = await sent();
    await done(shop.api, "POST", id, part);
    expect(await attemptsOf(shop, id)).toMatchObject([{ status: "PROCESSING" }]);
    await worker.drain();
    expect(await attemptsOf(shop, id)).toMatchObject([{ status: "SUCCEEDED" }]);
    expect(await ordersOf(shop, id)).toMatchObject([{ total: 10, status: "PAID" }]);
    expect(await read(shop, id)).toMatchObject({ status, total_revenue: 10, current_billing_cycle: 2 });
    expect((await actionsOf(id)).slice(-2)).toEqual([action, "billing_succeeded"]);
    expect((await read(shop, id)).next_billing_date === null).toBe(status === "CANCELLED");
  });

  test("leaves one that was sent: its refusal is recorded, and followed by nothing", async () => {
    const id = await linked(shop, worker, {
      next_delivery_date: inDays(30),
      store_payment_method_id: "pm_requires_action",
    });
    await shipNow(shop, worker, id);
    await worker.drain();
    await done(shop.api, "POST", id, part);
    await done(shop.api, "PUT", id, "payment-method", { store_payment_method_id: "pm_success" }).catch(
      () => undefined,
    );
    await later(worker, 61);
    await later(worker, 73 * 3600);
    expect((await attemptsOf(shop, id)).map((attempt) => attempt.status)).toEqual(["FAILED"]);
    expect(await read(shop, id)).toMatchObject({ status, is_in_dunning: false });
    expect(await chargesOf(id)).toMatchObject([{ state: "DECLINED" }]);
  });

  test("raced by the consumer: charged and ordered once, or never", async () => {
    for (let nth = 0; nth < 10; nth++) {
      const id = await queued();
      await Promise.all([worker.call(shop.api, "POST", on(id, part)), worker.drain()]);
      await worker.drain();
      const [attempt] = await attemptsOf(shop, id);
      const made = attempt.status === "SUCCEEDED" ? 1 : 0;
      expect(["SUCCEEDED", "CANCELLED"]).toContain(attempt.status);
      expect([(await chargesOf(id)).length, (await ordersOf(shop, id)).length]).toEqual([made, made]);
      expect((await read(shop, id)).status).toBe(status);
      expect((await rowOf(id)).open_attempt_id).toBeNull();
    }
  });
});

test("paused with an attempt withdrawn, and resumed: the same cycle, number and key are used again", async () => {
  const keysOf = (id: string) =>
    select<{ store_key: string; status: string }>(
      "SELECT store_key, status FROM billing_attempts WHERE subscription_id = ? ORDER BY created_at, id",
      id,
    );
  const id = await queued();
  await done(shop.api, "POST", id, "pause");
  await done(shop.api, "POST", id, "resume");
  await shipNow(shop, worker, id);
  await worker.drain();
  const [first, second] = await keysOf(id);
  expect(second).toEqual({ store_key: first?.store_key, status: "SUCCEEDED" });
  expect(await ordersOf(shop, id)).toHaveLength(1);
});

test("reactivated: cycle 1 once more, under new keys, charged anew", async () => {
  const other = await openShop();
  const id = await linked(other, worker);
  await advance(other, worker, 1);
  await done(other.api, "POST", id, "cancel");
  const again = await done(other.api, "POST", id, "reactivate");
  expect(again).toMatchObject({ status: "ACTIVE", current_billing_cycle: 1 });
  await advance(other, worker, 8);
  const rows = await select<{ cycle: number; attempt_number: number; activation: number; store_key: string }>(
    "SELECT cycle, attempt_number, activation, store_key FROM billing_attempts WHERE subscription_id = ? ORDER BY id",
    id,
  );
  expect(rows.slice(0, 2)).toMatchObject([
    { cycle: 1, attempt_number: 1, activation: 1 },
    { cycle: 1, attempt_number: 1, activation: 2 },
  ]);
  expect(new Set(rows.map(({ store_key }) => store_key)).size).toBe(rows.length);
  expect((await chargesOf(id)).length).toBe(rows.length);
});

test("cancelled and reactivated while the store still has the attempt: recorded, the new life untouched", async () => {
  const id = await sent();
  await done(shop.api, "POST", id, "cancel");
  await done(shop.api, "POST", id, "reactivate", { next_delivery_date: inDays(10) });
  await worker.drain();
  expect(await attemptsOf(shop, id)).toMatchObject([{ status: "SUCCEEDED" }]);
  expect(await ordersOf(shop, id)).toHaveLength(1);
  expect(await read(shop, id)).toMatchObject({
    status: "ACTIVE",
    current_billing_cycle: 1,
    next_delivery_date: inDays(10),
    total_revenue: 10,
  });
});

test("a ship-now of the new life does not answer with the old life's attempt, which is still open", async () => {
  const id = await sent();
  await done(shop.api, "POST", id, "cancel");
  await done(shop.api, "POST", id, "reactivate", { next_delivery_date: inDays(10) });
  const { status, body } = await shipNow(shop, worker, id);
  expect([status, body.errorCode]).toEqual([409, "BILLING_IN_PROGRESS"]);
  await worker.drain();
  expect((await shipNow(shop, worker, id)).status).toBe(200);
  await worker.drain();
  expect(await attemptsOf(shop, id)).toMatchObject([{ status: "SUCCEEDED" }, { status: "SUCCEEDED" }]);
});

test("the slot's schedule stays while an attempt is open, and moves from what was frozen", async () => {
  const slot = await addSlot(shop, { day_of_week: 4 });
  const id = await linked(shop, worker, { next_delivery_date: nextDay(4, 20), delivery_slot_id: slot });
  await shipNow(shop, worker, id, { delivery_date: nextDay(4, 3) });
  const open = await api(shop.api, "PUT", on(id, "schedule"), { body: { delivery_slot_id: null } });
  expect(open.body.errorCode).toBe("BILLING_IN_PROGRESS");
  await worker.drain();
  expect((await read(shop, id)).next_delivery_date).toBe(nextDay(4, 10));
});

/** The messages by which a subscription that is due is found, started and charged, up to the last. */
async function chargeOf(id: string): Promise<Json[]> {
  let jobs: Json[] = (await tickAt(Date.now())).filter(({ account_id }) => account_id === shop.of.account.id);
  for (let round = 0; round < 2; round++) {
    const { sent: following, bindings } = outbox();
    await deliver(jobs, { bindings });
    jobs = following;
  }
  expect(await attemptsOf(shop, id)).toMatchObject([{ status: "QUEUED", trigger: "RECURRING" }]);
  return jobs;
}

/** The dates that a subscription has after a pause and a resume while it was being charged for today. */
async function resumedWhileCharged(id: string): Promise<Json> {
  expect(await attemptsOf(shop, id)).toMatchObject([{ status: "PROCESSING" }]);
  await done(shop.api, "POST", id, "pause");
  await done(shop.api, "POST", id, "resume");
  worker.forget();
  const { status, next_delivery_date, next_billing_date } = await read(shop, id);
  expect([status, next_delivery_date]).toEqual(["ACTIVE", inDays(7)]);
  return { next_delivery_date, next_billing_date };
}

test("a charge that is answered after a pause and a resume pays for its own delivery: the date resumed at stays", async () => {
  const id = await linked(shop, worker, {
    next_delivery_date: inDays(0),
    store_payment_method_id: "pm_pending",
  });
  await deliver(await chargeOf(id), { bindings: outbox().bindings });
  const resumed = await resumedWhileCharged(id);
  await later(worker, 61);
  expect(await ordersOf(shop, id)).toMatchObject([{ status: "PAID", delivery_date: inDays(0) }]);
  expect(await read(shop, id)).toMatchObject({ current_billing_cycle: 2, ...resumed });
});

test("a charge that finds no stock after a pause and a resume skips its own delivery: the date resumed at stays", async () => {
  await api(shop.api, "PUT", "/api/account", { body: { out_of_stock_action: "skip" } });
  const id = await linked(shop, worker, {
    next_delivery_date: inDays(0),
    store_payment_method_id: "pm_out_of_stock",
  });
  const DB = interrupted(/"claims" \+ 1/, { after: isolateEnded });
  await deliver(await chargeOf(id), { bindings: { ...outbox().bindings, DB } }).catch(() => {});
  const resumed = await resumedWhileCharged(id);
  await later(worker, 61);
  expect(await attemptsOf(shop, id)).toMatchObject([
    { status: "FAILED", error_code: "insufficient_inventory" },
  ]);
  expect(await read(shop, id)).toMatchObject({ current_billing_cycle: 1, ...resumed });
});
