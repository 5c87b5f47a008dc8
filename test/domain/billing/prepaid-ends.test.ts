/** A delivery that is paid for is made, whatever becomes of the next payment or of the subscription. */
import { describe, expect, test } from "vitest";
import { api } from "../../support/client.ts";
import { execute } from "../../support/database.ts";
import { type Prepaid, prepaid, projectedOf, totalsOf } from "../../support/prepaid.ts";
import { actionsOf, done, entriesOf, feedOf, type Json, read } from "../../support/shops.ts";
import {
  advance,
  attemptsOf,
  chargesOf,
  deliveriesOf,
  episodesOf,
  ordersOf,
  shipNow,
  useWorker,
} from "../../support/worker.ts";

const worker = useWorker();

const slow = { timeout: 60_000 };

function settings({ shop }: Prepaid, body: object) {
  return api(shop.api, "PUT", "/api/account", { body });
}

/** Two of three deliveries are owed, from 28 February on. */
async function owingTwo(terms: object = {}, its: object = {}): Promise<Prepaid> {
  const subscription = await prepaid(worker, terms);
  await settings(subscription, its);
  await advance(subscription.shop, worker, 1 / 24);
  return subscription;
}

/** The next period is billed early, by a card that is not charged. */
async function refusedEarly({ shop, id }: Prepaid, card = "pm_card_declined"): Promise<void> {
  await done(shop.api, "PUT", id, "payment-method", { store_payment_method_id: card });
  await shipNow(shop, worker, id);
  await worker.drain();
}

async function inDunning(): Promise<Prepaid> {
  const subscription = await owingTwo();
  await refusedEarly(subscription);
  return subscription;
}

async function lastEntry(id: string, action: string): Promise<Json> {
  return (await entriesOf(id)).findLast((entry) => entry.action === action);
}
const nothingPlanned = { next_billing_date: null, next_delivery_date: null, next_production_date: null };

describe("what is paid for is delivered, whatever becomes of the next payment", () => {
  test("in dunning", slow, async () => {
    const subscription = await owingTwo({}, { dunning_retry_days: [60] });
    await refusedEarly(subscription);
    const projected = await projectedOf(subscription, 2);
    await advance(subscription.shop, worker, 59);
    expect(await read(subscription.shop, subscription.id)).toMatchObject({
      status: "ACTIVE",
      is_in_dunning: true,
    });
    expect((await deliveriesOf(subscription.shop, subscription.id)).slice(1)).toEqual(projected);
    expect(projected).toEqual([
      ["2030-02-28", 0],
      ["2030-03-31", 0],
    ]);
    const [latest] = await ordersOf(subscription.shop, subscription.id);
    expect(await actionsOf(latest.id)).toEqual(["order_placed"]);
  });

  test("after PAYMENT_FAILED, and no more than that", slow, async () => {
    const subscription = await inDunning();
    await advance(subscription.shop, worker, 10);
    expect((await read(subscription.shop, subscription.id)).status).toBe("PAYMENT_FAILED");
    expect((await projectedOf(subscription)).slice(0, 2)).toEqual([
      ["2030-02-28", 0],
      ["2030-03-31", 0],
    ]);
    await advance(subscription.shop, worker, 200);
    expect(await deliveriesOf(subscription.shop, subscription.id)).toEqual([
      ["2030-01-31", 30],
      ["2030-02-28", 0],
      ["2030-03-31", 0],
    ]);
    expect((await read(subscription.shop, subscription.id)).status).toBe("PAYMENT_FAILED");
  });

  test("paid after all: what was owed, and what was paid for then", slow, async () => {
    const subscription = await inDunning();
    await advance(subscription.shop, worker, 35);
    await done(subscription.shop.customer, "PUT", subscription.id, "payment-method", {
      store_payment_method_id: "pm_success",
    });
    await worker.drain();
    await advance(subscription.shop, worker, 95);
    expect(await deliveriesOf(subscription.shop, subscription.id)).toEqual([
      ["2030-01-31", 30],
      ["2030-02-28", 0],
      ["2030-03-07", 30],
      ["2030-04-07", 0],
      ["2030-05-07", 0],
      ["2030-06-07", 0],
    ]);
    expect((await chargesOf(subscription.id)).filter(({ state }) => state === "SUCCEEDED")).toHaveLength(2);
  });

  test("while an attempt is open", slow, async () => {
    const subscription = await owingTwo();
    await advance(subscription.shop, worker, 27);
    await refusedEarly(subscription, "pm_requires_action");
    await advance(subscription.shop, worker, 0.5);
    expect((await attemptsOf(subscription.shop, subscription.id))[0].status).toBe("ACTION_REQUIRED");
    expect(await totalsOf(subscription)).toEqual([30, 0]);
  });

  test("while one is under review", slow, async () => {
    const subscription = await owingTwo();
    await refusedEarly(subscription, "pm_requires_action");
    await execute(
      "UPDATE billing_attempts SET status = 'REVIEW' WHERE subscription_id = ? AND cycle = 2",
      subscription.id,
    );
    await advance(subscription.shop, worker, 65);
    expect((await attemptsOf(subscription.shop, subscription.id))[0].status).toBe("REVIEW");
    expect(await totalsOf(subscription)).toEqual([30, 0, 0]);
  });

  test("a retry and a delivery of one day are both made", slow, async () => {
    const subscription = await owingTwo({}, { dunning_retry_days: [1, 40] });
    await advance(subscription.shop, worker, 27);
    await refusedEarly(subscription);
    await advance(subscription.shop, worker, 1);
    expect((await deliveriesOf(subscription.shop, subscription.id)).at(-1)).toEqual(["2030-02-28", 0]);
    expect((await episodesOf(subscription.shop, subscription.id))[0]).toMatchObject({
      status: "OPEN",
      attempt_count: 2,
    });
  });
});

describe("a cancelled subscription", () => {
  test("delivers what is paid for, and nothing is billed any more", slow, async () => {
    const subscription = await owingTwo();
    const cancelled = await done(subscription.shop.customer, "POST", subscription.id, "cancel");
    expect(cancelled).toMatchObject({
      status: "CANCELLED",
      next_billing_date: null,
      next_delivery_date: "2030-02-28",
    });
    expect((await lastEntry(subscription.id, "subscription_cancelled")).metadata).toEqual({
      deliveries_owed: 2,
      prepaid_on_end: "deliver",
    });
    const projected = await projectedOf(subscription);
    await advance(subscription.shop, worker, 200);
    expect((await deliveriesOf(subscription.shop, subscription.id)).slice(1)).toEqual(projected);
    expect(projected).toEqual([
      ["2030-02-28", 0],
      ["2030-03-31", 0],
    ]);
    for (const order of await ordersOf(subscription.shop, subscription.id)) expect(order.status).toBe("PAID");
    expect(await read(subscription.shop, subscription.id)).toMatchObject({
      status: "CANCELLED",
      ...nothingPlanned,
    });
    expect(await chargesOf(subscription.id)).toHaveLength(1);
    expect(await projectedOf(subscription)).toEqual([]);
  });

  test(
    "delivers nothing more where the account says stop; its entry says how many were owed",
    slow,
    async () => {
      const subscription = await owingTwo({}, { prepaid_on_end: "stop" });
      const cancelled = await done(subscription.shop.admin, "POST", subscription.id, "cancel", {
        reason: "Moved away",
      });
      expect(cancelled).toMatchObject({ status: "CANCELLED", ...nothingPlanned });
      expect((await feedOf(subscription.shop, subscription.id))[0]).toMatchObject({
        action: "subscription_cancelled",
        metadata: { deliveries_owed: 2, prepaid_on_end: "stop" },
      });
      expect(await projectedOf(subscription)).toEqual([]);
      await advance(subscription.shop, worker, 100);
      expect(await totalsOf(subscription)).toEqual([30]);
      const again = await done(subscription.shop.api, "POST", subscription.id, "reactivate", {
        next_delivery_date: "2030-06-15",
      });
      expect(again.next_billing_date).toBe("2030-06-15");
    },
  );

  test.each(["deliver", "stop"])("by dunning: the account's %s decides too", slow, async (prepaid_on_end) => {
    const its = { dunning_final_action: "cancel", dunning_retry_days: [1], prepaid_on_end };
    const subscription = await owingTwo({}, its);
    await refusedEarly(subscription);
    await advance(subscription.shop, worker, 3);
    expect((await read(subscription.shop, subscription.id)).status).toBe("CANCELLED");
    expect((await lastEntry(subscription.id, "subscription_cancelled")).metadata).toEqual({
      reason: "Payment failed",
      deliveries_owed: 2,
      prepaid_on_end,
    });
    await advance(subscription.shop, worker, 100);
    expect(await totalsOf(subscription)).toEqual(prepaid_on_end === "deliver" ? [30, 0, 0] : [30]);
    expect(await read(subscription.shop, subscription.id)).toMatchObject(nothingPlanned);
  });

  test("owing nothing says nothing of it, and has no dates", slow, async () => {
    const subscription = await prepaid(worker);
    expect(await done(subscription.shop.api, "POST", subscription.id, "cancel")).toMatchObject(
      nothingPlanned,
    );
    expect((await lastEntry(subscription.id, "subscription_cancelled")).metadata).toBeNull();
  });

  test("after the last billing of max_cycles stays CANCELLED when all is delivered", slow, async () => {
    const subscription = await owingTwo({ max_cycles: 1 });
    await done(subscription.shop.api, "POST", subscription.id, "cancel");
    await advance(subscription.shop, worker, 100);
    expect(await totalsOf(subscription)).toEqual([30, 0, 0]);
    expect(await read(subscription.shop, subscription.id)).toMatchObject({
      status: "CANCELLED",
      ...nothingPlanned,
    });
  });

  test("from a pause delivers on from tomorrow", slow, async () => {
    const subscription = await owingTwo();
    await done(subscription.shop.api, "POST", subscription.id, "pause");
    await advance(subscription.shop, worker, 45);
    expect(await totalsOf(subscription)).toEqual([30]);
    expect(await done(subscription.shop.api, "POST", subscription.id, "cancel")).toMatchObject({
      next_billing_date: null,
      next_delivery_date: "2030-03-18",
    });
    await advance(subscription.shop, worker, 60);
    expect((await deliveriesOf(subscription.shop, subscription.id)).slice(1)).toEqual([
      ["2030-03-18", 0],
      ["2030-04-18", 0],
    ]);
  });

  test.each([
    ["deliver", [30, 0, 0]],
    ["stop", [30]],
  ] as const)(
    "while it is charged, %s: the charge is recorded, and the account's setting holds for what it pays for",
    slow,
    async (prepaid_on_end, totals) => {
      const subscription = await prepaid(worker, {}, { store_payment_method_id: "pm_pending" });
      await settings(subscription, { prepaid_on_end });
      await shipNow(subscription.shop, worker, subscription.id);
      await worker.drain({ soon: false });
      await done(subscription.shop.api, "POST", subscription.id, "cancel");
      await advance(subscription.shop, worker, 100);
      expect(await totalsOf(subscription)).toEqual(totals);
      expect(await read(subscription.shop, subscription.id)).toMatchObject({
        status: "CANCELLED",
        ...nothingPlanned,
      });
      const charged = (await entriesOf(subscription.id)).find(({ metadata }) => metadata?.store_order_id);
      expect(charged?.metadata).toMatchObject({ deliveries_owed: 2, prepaid_on_end });
    },
  );
});

describe("reactivated, it", () => {
  test("delivers what the life before still owed, then bills", slow, async () => {
    const subscription = await owingTwo();
    await done(subscription.shop.api, "POST", subscription.id, "cancel");
    await advance(subscription.shop, worker, 30);
    expect(await totalsOf(subscription)).toEqual([30, 0]);
    const live = await done(subscription.shop.customer, "POST", subscription.id, "reactivate");
    expect(live).toMatchObject({
      status: "ACTIVE",
      current_billing_cycle: 1,
      next_delivery_date: "2030-03-31",
      next_billing_date: "2030-04-30",
    });
    const projected = await projectedOf(subscription, 4);
    await advance(subscription.shop, worker, 125);
    expect((await deliveriesOf(subscription.shop, subscription.id)).slice(2, 6)).toEqual(projected);
    expect(projected.map(([, total]) => total)).toEqual([0, 30, 0, 0]);
  });

  test("at a date: that is when the first of them comes", slow, async () => {
    const subscription = await owingTwo();
    await done(subscription.shop.api, "POST", subscription.id, "cancel");
    const body = { next_delivery_date: "2030-02-10" };
    expect(await done(subscription.shop.api, "POST", subscription.id, "reactivate", body)).toMatchObject({
      next_delivery_date: "2030-02-10",
      next_billing_date: "2030-04-10",
    });
  });

  test("before the answer to a charge of the life before: what it pays for comes first", slow, async () => {
    const subscription = await prepaid(worker, {}, { store_payment_method_id: "pm_pending" });
    await shipNow(subscription.shop, worker, subscription.id);
    await worker.drain({ soon: false });
    await done(subscription.shop.api, "POST", subscription.id, "cancel");
    await done(subscription.shop.api, "POST", subscription.id, "reactivate", {
      next_delivery_date: "2030-02-20",
    });
    await done(subscription.shop.api, "PUT", subscription.id, "payment-method", {
      store_payment_method_id: "pm_success",
    });
    await advance(subscription.shop, worker, 85);
    expect(await deliveriesOf(subscription.shop, subscription.id)).toEqual([
      ["2030-01-31", 30],
      ["2030-02-20", 0],
      ["2030-03-20", 0],
      ["2030-04-20", 30],
    ]);
  });
});

test("a pause holds what is owed, and resume goes on with it", slow, async () => {
  const subscription = await owingTwo();
  await done(subscription.shop.api, "POST", subscription.id, "pause", { pause_until: "2030-05-15" });
  await advance(subscription.shop, worker, 90);
  expect(await totalsOf(subscription)).toEqual([30]);
  await advance(subscription.shop, worker, 100);
  expect(await deliveriesOf(subscription.shop, subscription.id)).toEqual([
    ["2030-01-31", 30],
    ["2030-05-16", 0],
    ["2030-06-16", 0],
    ["2030-07-16", 30],
  ]);
});
