import { describe, expect, test } from "vitest";
import { api } from "../support/client.ts";
import { execute } from "../support/database.ts";
import { actionsOf, done, entriesOf, feedOf, type Json, read } from "../support/lives.ts";
import {
  advance,
  attemptsOf,
  chargesOf,
  deliveriesOf,
  episodesOf,
  ordersOf,
  shipNow,
  useWorker,
} from "../support/machine.ts";
import { type Prepaid, prepaid, projectedOf, totalsOf } from "../support/prepaid.ts";

const worker = useWorker();

const slow = { timeout: 60_000 };
const settings = ({ shop }: Prepaid, body: object) => api(shop.api, "PUT", "/api/account", { body });

/** Two of three deliveries are owed, from 28 February on. */
const owingTwo = async (terms: object = {}, its: object = {}): Promise<Prepaid> => {
  const made = await prepaid(worker, terms);
  await settings(made, its);
  await advance(made.shop, worker, 1 / 24);
  return made;
};
/** The next period is billed early, by a card that is not charged. */
const refusedEarly = async ({ shop, id }: Prepaid, card = "pm_card_declined"): Promise<void> => {
  await done(shop.api, "PUT", id, "payment-method", { store_payment_method_id: card });
  await shipNow(shop, worker, id);
  await worker.drain();
};
const inDunning = async (): Promise<Prepaid> => {
  const made = await owingTwo();
  await refusedEarly(made);
  return made;
};
const lastEntry = async (id: string, action: string): Promise<Json> =>
  (await entriesOf(id)).findLast((entry) => entry.action === action);
const nothingPlanned = { next_billing_date: null, next_delivery_date: null, next_production_date: null };

describe("what is paid for is delivered, whatever becomes of the next payment", () => {
  test("in dunning", slow, async () => {
    const made = await owingTwo({}, { dunning_retry_days: [60] });
    await refusedEarly(made);
    const projected = await projectedOf(made, 2);
    await advance(made.shop, worker, 59);
    expect(await read(made.shop, made.id)).toMatchObject({ status: "ACTIVE", is_in_dunning: true });
    expect((await deliveriesOf(made.shop, made.id)).slice(1)).toEqual(projected);
    expect(projected).toEqual([
      ["2030-02-28", 0],
      ["2030-03-31", 0],
    ]);
    const [latest] = await ordersOf(made.shop, made.id);
    expect(await actionsOf(latest.id)).toEqual(["order_placed"]);
  });

  test("after PAYMENT_FAILED, and no more than that", slow, async () => {
    const made = await inDunning();
    await advance(made.shop, worker, 10);
    expect((await read(made.shop, made.id)).status).toBe("PAYMENT_FAILED");
    expect((await projectedOf(made)).slice(0, 2)).toEqual([
      ["2030-02-28", 0],
      ["2030-03-31", 0],
    ]);
    await advance(made.shop, worker, 200);
    expect(await deliveriesOf(made.shop, made.id)).toEqual([
      ["2030-01-31", 30],
      ["2030-02-28", 0],
      ["2030-03-31", 0],
    ]);
    expect((await read(made.shop, made.id)).status).toBe("PAYMENT_FAILED");
  });

  test("paid after all: what was owed, and what was paid for then", slow, async () => {
    const made = await inDunning();
    await advance(made.shop, worker, 35);
    await done(made.shop.customer, "PUT", made.id, "payment-method", {
      store_payment_method_id: "pm_success",
    });
    await worker.drain();
    await advance(made.shop, worker, 95);
    expect(await deliveriesOf(made.shop, made.id)).toEqual([
      ["2030-01-31", 30],
      ["2030-02-28", 0],
      ["2030-03-07", 30],
      ["2030-04-07", 0],
      ["2030-05-07", 0],
      ["2030-06-07", 0],
    ]);
    expect((await chargesOf(made.id)).filter(({ state }) => state === "SUCCEEDED")).toHaveLength(2);
  });

  test("while an attempt is open", slow, async () => {
    const made = await owingTwo();
    await advance(made.shop, worker, 27);
    await refusedEarly(made, "pm_requires_action");
    await advance(made.shop, worker, 0.5);
    expect((await attemptsOf(made.shop, made.id))[0].status).toBe("ACTION_REQUIRED");
    expect(await totalsOf(made)).toEqual([30, 0]);
  });

  test("while one is under review", slow, async () => {
    const made = await owingTwo();
    await refusedEarly(made, "pm_requires_action");
    await execute(
      "UPDATE billing_attempts SET status = 'REVIEW' WHERE subscription_id = ? AND cycle = 2",
      made.id,
    );
    await advance(made.shop, worker, 65);
    expect((await attemptsOf(made.shop, made.id))[0].status).toBe("REVIEW");
    expect(await totalsOf(made)).toEqual([30, 0, 0]);
  });

  test("a retry and a delivery of one day are both made", slow, async () => {
    const made = await owingTwo({}, { dunning_retry_days: [1, 40] });
    await advance(made.shop, worker, 27);
    await refusedEarly(made);
    await advance(made.shop, worker, 1);
    expect((await deliveriesOf(made.shop, made.id)).at(-1)).toEqual(["2030-02-28", 0]);
    expect((await episodesOf(made.shop, made.id))[0]).toMatchObject({ status: "OPEN", attempt_count: 2 });
  });
});

describe("a cancelled subscription", () => {
  test("delivers what is paid for, and nothing is billed any more", slow, async () => {
    const made = await owingTwo();
    const cancelled = await done(made.shop.customer, "POST", made.id, "cancel");
    expect(cancelled).toMatchObject({
      status: "CANCELLED",
      next_billing_date: null,
      next_delivery_date: "2030-02-28",
    });
    expect((await lastEntry(made.id, "subscription_cancelled")).metadata).toEqual({
      deliveries_owed: 2,
      prepaid_on_end: "deliver",
    });
    const projected = await projectedOf(made);
    await advance(made.shop, worker, 200);
    expect((await deliveriesOf(made.shop, made.id)).slice(1)).toEqual(projected);
    expect(projected).toEqual([
      ["2030-02-28", 0],
      ["2030-03-31", 0],
    ]);
    for (const order of await ordersOf(made.shop, made.id)) expect(order.status).toBe("PAID");
    expect(await read(made.shop, made.id)).toMatchObject({ status: "CANCELLED", ...nothingPlanned });
    expect(await chargesOf(made.id)).toHaveLength(1);
    expect(await projectedOf(made)).toEqual([]);
  });

  test(
    "delivers nothing more where the account says stop; its entry says how many were owed",
    slow,
    async () => {
      const made = await owingTwo({}, { prepaid_on_end: "stop" });
      const cancelled = await done(made.shop.admin, "POST", made.id, "cancel", { reason: "Moved away" });
      expect(cancelled).toMatchObject({ status: "CANCELLED", ...nothingPlanned });
      expect((await feedOf(made.shop, made.id))[0]).toMatchObject({
        action: "subscription_cancelled",
        metadata: { deliveries_owed: 2, prepaid_on_end: "stop" },
      });
      expect(await projectedOf(made)).toEqual([]);
      await advance(made.shop, worker, 100);
      expect(await totalsOf(made)).toEqual([30]);
      const again = await done(made.shop.api, "POST", made.id, "reactivate", {
        next_delivery_date: "2030-06-15",
      });
      expect(again.next_billing_date).toBe("2030-06-15");
    },
  );

  test.each(["deliver", "stop"])("by dunning: the account's %s decides too", slow, async (prepaid_on_end) => {
    const its = { dunning_final_action: "cancel", dunning_retry_days: [1], prepaid_on_end };
    const made = await owingTwo({}, its);
    await refusedEarly(made);
    await advance(made.shop, worker, 3);
    expect((await read(made.shop, made.id)).status).toBe("CANCELLED");
    expect((await lastEntry(made.id, "subscription_cancelled")).metadata).toEqual({
      reason: "Payment failed",
      deliveries_owed: 2,
      prepaid_on_end,
    });
    await advance(made.shop, worker, 100);
    expect(await totalsOf(made)).toEqual(prepaid_on_end === "deliver" ? [30, 0, 0] : [30]);
    expect(await read(made.shop, made.id)).toMatchObject(nothingPlanned);
  });

  test("owing nothing says nothing of it, and has no dates", slow, async () => {
    const made = await prepaid(worker);
    expect(await done(made.shop.api, "POST", made.id, "cancel")).toMatchObject(nothingPlanned);
    expect((await lastEntry(made.id, "subscription_cancelled")).metadata).toBeNull();
  });

  test("after the last billing of max_cycles stays CANCELLED when all is delivered", slow, async () => {
    const made = await owingTwo({ max_cycles: 1 });
    await done(made.shop.api, "POST", made.id, "cancel");
    await advance(made.shop, worker, 100);
    expect(await totalsOf(made)).toEqual([30, 0, 0]);
    expect(await read(made.shop, made.id)).toMatchObject({ status: "CANCELLED", ...nothingPlanned });
  });

  test("from a pause delivers on from tomorrow", slow, async () => {
    const made = await owingTwo();
    await done(made.shop.api, "POST", made.id, "pause");
    await advance(made.shop, worker, 45);
    expect(await totalsOf(made)).toEqual([30]);
    expect(await done(made.shop.api, "POST", made.id, "cancel")).toMatchObject({
      next_billing_date: null,
      next_delivery_date: "2030-03-31",
    });
    await advance(made.shop, worker, 60);
    expect((await deliveriesOf(made.shop, made.id)).slice(1)).toEqual([
      ["2030-03-31", 0],
      ["2030-04-30", 0],
    ]);
  });

  test.each([
    ["deliver", [30, 0, 0]],
    ["stop", [30]],
  ] as const)(
    "while it is charged, %s: the charge is recorded, and the account's setting holds for what it pays for",
    slow,
    async (prepaid_on_end, totals) => {
      const made = await prepaid(worker, {}, { store_payment_method_id: "pm_pending" });
      await settings(made, { prepaid_on_end });
      await shipNow(made.shop, worker, made.id);
      await worker.drain({ soon: false });
      await done(made.shop.api, "POST", made.id, "cancel");
      await advance(made.shop, worker, 100);
      expect(await totalsOf(made)).toEqual(totals);
      expect(await read(made.shop, made.id)).toMatchObject({ status: "CANCELLED", ...nothingPlanned });
      const charged = (await entriesOf(made.id)).find(({ metadata }) => metadata?.store_order_id);
      expect(charged?.metadata).toMatchObject({ deliveries_owed: 2, prepaid_on_end });
    },
  );
});

describe("reactivated, it", () => {
  test("delivers what the life before still owed, then bills", slow, async () => {
    const made = await owingTwo();
    await done(made.shop.api, "POST", made.id, "cancel");
    await advance(made.shop, worker, 30);
    expect(await totalsOf(made)).toEqual([30, 0]);
    const live = await done(made.shop.customer, "POST", made.id, "reactivate");
    expect(live).toMatchObject({
      status: "ACTIVE",
      current_billing_cycle: 1,
      next_delivery_date: "2030-03-31",
      next_billing_date: "2030-04-30",
    });
    const projected = await projectedOf(made, 4);
    await advance(made.shop, worker, 125);
    expect((await deliveriesOf(made.shop, made.id)).slice(2, 6)).toEqual(projected);
    expect(projected.map(([, total]) => total)).toEqual([0, 30, 0, 0]);
  });

  test("at a date: that is when the first of them comes", slow, async () => {
    const made = await owingTwo();
    await done(made.shop.api, "POST", made.id, "cancel");
    const body = { next_delivery_date: "2030-02-10" };
    expect(await done(made.shop.api, "POST", made.id, "reactivate", body)).toMatchObject({
      next_delivery_date: "2030-02-10",
      next_billing_date: "2030-04-10",
    });
  });

  test("before the answer to a charge of the life before: what it pays for comes first", slow, async () => {
    const made = await prepaid(worker, {}, { store_payment_method_id: "pm_pending" });
    await shipNow(made.shop, worker, made.id);
    await worker.drain({ soon: false });
    await done(made.shop.api, "POST", made.id, "cancel");
    await done(made.shop.api, "POST", made.id, "reactivate", { next_delivery_date: "2030-02-20" });
    await done(made.shop.api, "PUT", made.id, "payment-method", { store_payment_method_id: "pm_success" });
    await advance(made.shop, worker, 85);
    expect(await deliveriesOf(made.shop, made.id)).toEqual([
      ["2030-01-31", 30],
      ["2030-02-20", 0],
      ["2030-03-20", 0],
      ["2030-04-20", 30],
    ]);
  });
});

test("a pause holds what is owed, and resume goes on with it", slow, async () => {
  const made = await owingTwo();
  await done(made.shop.api, "POST", made.id, "pause", { pause_until: "2030-05-15" });
  await advance(made.shop, worker, 90);
  expect(await totalsOf(made)).toEqual([30]);
  await advance(made.shop, worker, 100);
  expect(await deliveriesOf(made.shop, made.id)).toEqual([
    ["2030-01-31", 30],
    ["2030-05-31", 0],
    ["2030-06-30", 0],
    ["2030-07-31", 30],
  ]);
});
