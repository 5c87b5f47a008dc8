/** Each answer of a store leads an attempt to its status, and an open outcome is asked about until it is known. */
import { describe, expect, test, vi } from "vitest";
import { execute, select } from "../../support/database.ts";
import { logged } from "../../support/jobs.ts";
import { actionsOf, done, entriesOf, inDays, type Json, openShop, read } from "../../support/shops.ts";
import {
  advance,
  attemptsOf,
  chargesOf,
  episodesOf,
  later,
  linked,
  ordersOf,
  shipNow,
  useShop,
} from "../../support/worker.ts";

const { shop, worker } = useShop();

function withMethod(store_payment_method_id: string, at = shop) {
  return linked(at, worker, { next_delivery_date: inDays(30), store_payment_method_id });
}

async function attemptOf(id: string): Promise<Json> {
  return (await attemptsOf(shop, id))[0];
}
const now = { soon: false };

describe("pm_pending", () => {
  test("is PROCESSING until the store has made the charge", async () => {
    const id = await withMethod("pm_pending");
    await shipNow(shop, worker, id);
    await worker.drain(now);
    expect(await attemptOf(id)).toMatchObject({ status: "PROCESSING", settled_at: null, order_id: null });
    expect(await ordersOf(shop, id)).toEqual([]);
    await worker.drain();
    expect(await attemptOf(id)).toMatchObject({ status: "SUCCEEDED" });
    expect(await chargesOf(id)).toEqual([{ amount: 1000, state: "SUCCEEDED" }]);
    expect(await ordersOf(shop, id)).toHaveLength(1);
  });

  test("the message that asks again is lost: the tick asks", async () => {
    const id = await withMethod("pm_pending");
    await shipNow(shop, worker, id);
    await worker.drain(now);
    worker.forget();
    await later(worker, 61);
    expect(await attemptOf(id)).toMatchObject({ status: "SUCCEEDED" });
    vi.useRealTimers();
    expect(await ordersOf(shop, id)).toHaveLength(1);
  });

  test("by the test clock it is made within a day", async () => {
    const other = await openShop();
    const id = await linked(other, worker, { store_payment_method_id: "pm_pending" });
    await advance(other, worker, 3);
    expect(await attemptsOf(other, id)).toMatchObject([{ status: "SUCCEEDED" }]);
    expect(await ordersOf(other, id)).toHaveLength(1);
  });

  test("by the test clock a month of it is billed week by week", async () => {
    const other = await openShop();
    const id = await linked(other, worker, { store_payment_method_id: "pm_pending" });
    await advance(other, worker, 28);
    expect(
      (await attemptsOf(other, id)).filter(({ status }) => status === "SUCCEEDED").length,
    ).toBeGreaterThanOrEqual(4);
  });
});

describe("pm_timeout", () => {
  test("the charge was made and its answer lost: PROCESSING, then SUCCEEDED, charged once", async () => {
    const id = await withMethod("pm_timeout");
    await shipNow(shop, worker, id);
    await worker.drain(now);
    expect(await attemptOf(id)).toMatchObject({ status: "PROCESSING" });
    expect(await ordersOf(shop, id)).toEqual([]);
    await worker.drain();
    expect(await attemptOf(id)).toMatchObject({ status: "SUCCEEDED", attempt_number: 1 });
    expect(await chargesOf(id)).toEqual([{ amount: 1000, state: "SUCCEEDED" }]);
    expect(await ordersOf(shop, id)).toHaveLength(1);
    expect((await actionsOf(id)).slice(2)).toEqual(["ship_now_requested", "billing_succeeded"]);
  });

  test("the request never arrived: sent again under the same key, charged once", async () => {
    const id = await withMethod("pm_timeout_not_charged");
    await shipNow(shop, worker, id);
    await worker.drain(now);
    expect(await chargesOf(id)).toEqual([{ amount: 1000, state: "LOST" }]);
    await worker.drain();
    expect(await attemptsOf(shop, id)).toMatchObject([{ status: "SUCCEEDED", attempt_number: 1 }]);
    expect(await chargesOf(id)).toEqual([{ amount: 1000, state: "SUCCEEDED" }]);
  });

  test("a timeout is no decline: no dunning, no retry, nothing else may start", async () => {
    const id = await withMethod("pm_timeout");
    await shipNow(shop, worker, id);
    await worker.drain(now);
    expect(await episodesOf(shop, id)).toEqual([]);
    const another = await shipNow(shop, worker, id, { delivery_date: inDays(3) });
    expect(another.body.errorCode).toBe("BILLING_IN_PROGRESS");
    await worker.drain();
  });

  test("silence, and cancelled meanwhile: not sent again, and free after the quiet period", async () => {
    const id = await withMethod("pm_timeout_not_charged");
    await shipNow(shop, worker, id);
    await worker.drain(now);
    await done(shop.api, "POST", id, "cancel");
    await later(worker, 61);
    expect(await attemptOf(id)).toMatchObject({ status: "PROCESSING" });
    await later(worker, 76 * 60);
    expect(await attemptOf(id)).toMatchObject({ status: "CANCELLED", error_code: "not_charged" });
    expect(await episodesOf(shop, id)).toEqual([]);
    expect((await read(shop, id)).status).toBe("CANCELLED");
  });
});

describe("pm_requires_action", () => {
  test("is ACTION_REQUIRED, with where the customer has to go", async () => {
    const id = await withMethod("pm_requires_action");
    await shipNow(shop, worker, id);
    await worker.drain();
    expect(await attemptOf(id)).toMatchObject({
      status: "ACTION_REQUIRED",
      next_action_url: expect.stringMatching(/^https:\/\//),
      next_action_expires_at: expect.stringMatching(/Z$/),
      settled_at: null,
    });
    expect((await shipNow(shop, worker, id, { delivery_date: inDays(3) })).body.errorCode).toBe(
      "BILLING_IN_PROGRESS",
    );
    expect((await shipNow(shop, worker, id)).status).toBe(200);
    expect(await attemptsOf(shop, id)).toHaveLength(1);
  });

  test("expires after 72 hours of the account's time; the episode waits for the customer", async () => {
    const other = await openShop();
    const id = await linked(other, worker, { store_payment_method_id: "pm_requires_action" });
    await advance(other, worker, 0.5);
    expect(await attemptsOf(other, id)).toMatchObject([{ status: "ACTION_REQUIRED" }]);
    await advance(other, worker, 2.4);
    expect(await attemptsOf(other, id)).toMatchObject([{ status: "ACTION_REQUIRED" }]);
    await advance(other, worker, 0.2);
    expect(await attemptsOf(other, id)).toMatchObject([
      {
        status: "FAILED",
        error_code: "authentication_expired",
        next_action_url: null,
        next_action_expires_at: null,
      },
    ]);
    expect(await episodesOf(other, id)).toMatchObject([{ status: "AWAITING_CUSTOMER", next_retry_at: null }]);
    expect(await read(other, id)).toMatchObject({ status: "ACTIVE", is_in_dunning: true });
  });

  test("expires on the way where the clock is moved by days at once", async () => {
    const other = await openShop();
    const id = await linked(other, worker, { store_payment_method_id: "pm_requires_action" });
    await advance(other, worker, 5);
    expect(await attemptsOf(other, id)).toMatchObject([
      { status: "FAILED", error_code: "authentication_expired" },
    ]);
    expect(await episodesOf(other, id)).toMatchObject([{ status: "AWAITING_CUSTOMER" }]);
  });

  test("another payment method withdraws it, and is tried", async () => {
    const id = await withMethod("pm_requires_action");
    await shipNow(shop, worker, id);
    await worker.drain();
    await worker.call(shop.customer, "PUT", `/api/subscriptions/${id}/payment-method`, {
      body: { store_payment_method_id: "pm_success" },
    });
    await worker.drain();
    await later(worker, 61);
    await later(worker, 61);
    expect(await attemptsOf(shop, id)).toMatchObject([{ status: "SUCCEEDED" }, { status: "FAILED" }]);
    expect(await chargesOf(id)).toEqual([
      { amount: 1000, state: "DECLINED" },
      { amount: 1000, state: "SUCCEEDED" },
    ]);
    expect(await read(shop, id)).toMatchObject({ status: "ACTIVE", is_in_dunning: false });
  });

  test("withdrawn for another payment method, it is no refusal: no dunning, and another number", async () => {
    const id = await withMethod("pm_requires_action");
    await shipNow(shop, worker, id);
    await worker.drain();
    await worker.call(shop.customer, "PUT", `/api/subscriptions/${id}/payment-method`, {
      body: { store_payment_method_id: "pm_success" },
    });
    await later(worker, 61);
    await later(worker, 61);
    expect(await attemptsOf(shop, id)).toMatchObject([
      { status: "SUCCEEDED", attempt_number: 2 },
      { status: "FAILED", error_code: "withdrawn", attempt_number: 1 },
    ]);
    expect(await episodesOf(shop, id)).toEqual([]);
    expect((await actionsOf(id)).filter((action) => action.startsWith("dunning"))).toEqual([]);
  });

  test("paused or cancelled meanwhile: still open, and settled without dunning once it expires", async () => {
    const other = await openShop();
    const id = await linked(other, worker, { store_payment_method_id: "pm_requires_action" });
    await advance(other, worker, 0.1);
    await done(other.api, "POST", id, "pause");
    await advance(other, worker, 3.1);
    expect(await attemptsOf(other, id)).toMatchObject([{ status: "FAILED" }]);
    expect(await episodesOf(other, id)).toEqual([]);
    expect((await read(other, id)).status).toBe("PAUSED");
  });
});

test("pm_expired_card: no retries, a wait for the customer over the same days, then PAYMENT_FAILED", async () => {
  const other = await openShop();
  const id = await linked(other, worker, { store_payment_method_id: "pm_expired_card" });
  await advance(other, worker, 0.5);
  expect(await episodesOf(other, id)).toMatchObject([
    { status: "AWAITING_CUSTOMER", attempt_count: 1, next_retry_at: null, last_error_code: "expired_card" },
  ]);
  await advance(other, worker, 6.4);
  expect(await read(other, id)).toMatchObject({
    status: "ACTIVE",
    is_in_dunning: true,
    can_retry_payment: true,
  });
  await advance(other, worker, 0.6);
  expect(await read(other, id)).toMatchObject({ status: "PAYMENT_FAILED", is_in_dunning: false });
  expect(await episodesOf(other, id)).toMatchObject([{ status: "EXHAUSTED", attempt_count: 1 }]);
  expect(await attemptsOf(other, id)).toHaveLength(1);
  expect((await actionsOf(id)).slice(2)).toEqual([
    "billing_started",
    "billing_failed",
    "dunning_started",
    "dunning_exhausted",
  ]);
});

async function chargedAs(change: string): Promise<string> {
  const id = await withMethod("pm_pending");
  await shipNow(shop, worker, id);
  await worker.drain(now);
  const [{ store_key }] = (await select(
    "SELECT store_key FROM billing_attempts WHERE subscription_id = ?",
    id,
  )) as [{ store_key: string }];
  await execute(`UPDATE sandbox_charges SET ${change} WHERE idempotency_key = ?`, store_key);
  return id;
}

test("a store that charged another currency: REVIEW, which blocks, and no order", async () => {
  const id = await chargedAs("currency_code = 'JPY'");
  await worker.drain();
  expect(await attemptOf(id)).toMatchObject({ status: "REVIEW", error_code: "currency_mismatch" });
  expect(await ordersOf(shop, id)).toEqual([]);
  expect((await shipNow(shop, worker, id, { delivery_date: inDays(3) })).body.errorCode).toBe(
    "BILLING_IN_PROGRESS",
  );
});

test.each([
  ["less", 999, 9.99],
  ["more", 1870, 18.7],
])(
  "a store that charged %s than it was asked for: that is recorded, with an alert",
  async (_what, minor, amount) => {
    const id = await chargedAs(`amount = ${minor}`);
    const lines = await logged(() => worker.drain());
    expect(await attemptOf(id)).toMatchObject({ status: "SUCCEEDED", amount, error_code: null });
    expect(await ordersOf(shop, id)).toMatchObject([{ total: amount }]);
    expect(await read(shop, id)).toMatchObject({ current_billing_cycle: 2, total_revenue: amount });
    expect((await entriesOf(id)).at(-1)).toMatchObject({
      action: "billing_succeeded",
      metadata: { amount, requested_amount: 10 },
    });
    const alerts = lines.filter(({ event }) => event === "charged_another_amount");
    expect(alerts).toMatchObject([{ alert: true, amount: minor, requested_amount: 1000 }]);
  },
);
