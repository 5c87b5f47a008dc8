/** A subscription goes from its charge through decline, pause and cancellation to the right order, end to end. */
import { beforeEach, expect, test } from "vitest";
import { addDays } from "../../../src/base/lib/time/calendar.ts";
import { actionsOf, done, on, read } from "../../support/shops.ts";
import { useAccountPerTest } from "../../support/use-account.ts";
import {
  advance,
  attemptsOf,
  chargesOf,
  deliveriesOf,
  episodesOf,
  linked,
  ordersOf,
  shipNow,
  startClock,
  useWorker,
} from "../../support/worker.ts";

const worker = useWorker();
const shop = useAccountPerTest();
beforeEach(async () => {
  worker.forget();
  await startClock(shop, "2030-01-01T12:00:00.000Z");
});

const today = "2030-01-01";

function day(nth: number): string {
  return addDays(today, nth);
}

/** The actions of its history since its contract was linked. */
async function actionsSinceLinked(id: string): Promise<string[]> {
  return (await actionsOf(id)).slice(2);
}

async function paid(id: string): Promise<number[]> {
  return (await chargesOf(id)).filter(({ state }) => state === "SUCCEEDED").map(({ amount }) => amount);
}

/** The customer switches to another card, and the payment is tried with it. */
async function payWith(id: string, store_payment_method_id: string): Promise<void> {
  await worker.call(shop.customer, "PUT", on(id, "payment-method"), { body: { store_payment_method_id } });
  await worker.drain();
}

test("ship-now to order", async () => {
  const id = await linked(shop, worker, { next_delivery_date: day(7) });
  const { body } = await shipNow(shop, worker, id);
  expect(await attemptsOf(shop, id)).toMatchObject([
    { id: body.billing_attempt_id, status: "QUEUED", trigger: "SHIP_NOW", cycle: 1, amount: 10 },
  ]);
  await worker.drain();
  const [order, ...others] = await ordersOf(shop, id);
  expect([order, others]).toMatchObject([
    {
      status: "PAID",
      fulfillment_status: "UNFULFILLED",
      order_type: "SUBSCRIPTION",
      total: 10,
      delivery_date: today,
    },
    [],
  ]);
  expect(await attemptsOf(shop, id)).toMatchObject([{ status: "SUCCEEDED", order_id: order.id }]);
  expect(await read(shop, id)).toMatchObject({
    current_billing_cycle: 2,
    next_delivery_date: day(7),
    total_revenue: 10,
    last_order: order.id,
  });
  expect([await paid(id), await actionsSinceLinked(id)]).toEqual([
    [1000],
    ["ship_now_requested", "billing_succeeded"],
  ]);
});

test("decline to dunning to recovery", async () => {
  const id = await linked(shop, worker, { store_payment_method_id: "pm_insufficient_funds" });
  await advance(shop, worker, 2);
  expect(await read(shop, id)).toMatchObject({
    status: "ACTIVE",
    is_in_dunning: true,
    can_retry_payment: true,
  });
  expect(await episodesOf(shop, id)).toMatchObject([{ status: "OPEN", attempt_count: 2, max_attempts: 4 }]);
  await payWith(id, "pm_success");
  expect(await read(shop, id)).toMatchObject({
    status: "ACTIVE",
    is_in_dunning: false,
    current_billing_cycle: 2,
    next_billing_date: day(7),
  });
  expect(await episodesOf(shop, id)).toMatchObject([{ status: "RECOVERED", attempt_count: 2 }]);
  await advance(shop, worker, 5);
  expect((await deliveriesOf(shop, id)).map(([, total]) => total)).toEqual([10, 10]);
  expect((await actionsSinceLinked(id)).slice(0, 8)).toEqual([
    "billing_started",
    "billing_failed",
    "dunning_started",
    "billing_started",
    "billing_failed",
    "payment_method_changed",
    "billing_started",
    "billing_succeeded",
  ]);
});

test("skip, then bill", async () => {
  const id = await linked(shop, worker, { next_delivery_date: day(2) });
  await done(shop.customer, "POST", id, "skip", { skip_weeks: 2 });
  await advance(shop, worker, 15);
  expect(await ordersOf(shop, id)).toEqual([]);
  await advance(shop, worker, 1);
  expect(await deliveriesOf(shop, id)).toEqual([[day(16), 10]]);
  expect(await read(shop, id)).toMatchObject({ current_billing_cycle: 2, next_billing_date: day(23) });
  expect((await worker.call(shop.api, "POST", on(id, "unskip"))).body.errorCode).toBe("INVALID_STATE");
  expect(await actionsSinceLinked(id)).toEqual([
    "subscription_skipped",
    "payment_reminder_due",
    "billing_started",
    "billing_succeeded",
  ]);
});

test("cancel during dunning", async () => {
  const id = await linked(shop, worker, { store_payment_method_id: "pm_card_declined" });
  await advance(shop, worker, 2);
  await done(shop.customer, "POST", id, "cancel", { reason: "Enough" });
  expect(await read(shop, id)).toMatchObject({
    status: "CANCELLED",
    is_in_dunning: false,
    can_retry_payment: false,
  });
  expect(await episodesOf(shop, id)).toMatchObject([
    { status: "CLOSED", attempt_count: 2, next_retry_at: null },
  ]);
  await advance(shop, worker, 30);
  expect(await attemptsOf(shop, id)).toHaveLength(2);
  expect([await paid(id), (await actionsSinceLinked(id)).at(-1)]).toEqual([[], "subscription_cancelled"]);
});

test("the card is changed during dunning, after a hard decline", async () => {
  const id = await linked(shop, worker, { store_payment_method_id: "pm_expired_card" });
  await advance(shop, worker, 6);
  expect(await episodesOf(shop, id)).toMatchObject([{ status: "AWAITING_CUSTOMER", attempt_count: 1 }]);
  await payWith(id, "pm_pending");
  expect(await read(shop, id)).toMatchObject({ status: "ACTIVE", is_in_dunning: false, total_revenue: 10 });
  expect(await attemptsOf(shop, id)).toMatchObject([
    { trigger: "DUNNING", status: "SUCCEEDED", attempt_number: 2 },
    { trigger: "RECURRING", status: "FAILED", attempt_number: 1 },
  ]);
  await advance(shop, worker, 3);
  expect(await paid(id)).toEqual([1000, 1000]);
});

test("pause while an attempt is open", async () => {
  const id = await linked(shop, worker, { next_delivery_date: day(7) });
  await shipNow(shop, worker, id);
  await done(shop.customer, "POST", id, "pause", { pause_until: day(10) });
  expect(await attemptsOf(shop, id)).toMatchObject([{ status: "CANCELLED" }]);
  await worker.drain();
  await advance(shop, worker, 9);
  expect([await paid(id), await ordersOf(shop, id)]).toEqual([[], []]);
  await advance(shop, worker, 5);
  expect(await deliveriesOf(shop, id)).toEqual([[day(14), 10]]);
  expect(await actionsSinceLinked(id)).toEqual([
    "ship_now_requested",
    "subscription_paused",
    "subscription_resumed",
    "payment_reminder_due",
    "billing_started",
    "billing_succeeded",
  ]);
});
