/** A subscription whose total is 0 gets its orders without a charge and without dunning. */
import { describe, expect, test } from "vitest";
import { deriveStoreKey } from "../../../src/domain/billing/store-key.ts";
import { execute, select } from "../../support/database.ts";
import { done, entriesOf, inDays, read } from "../../support/shops.ts";
import {
  attemptsOf,
  chargesOf,
  episodesOf,
  linked,
  ordersOf,
  setClock,
  shipNow,
  useShop,
} from "../../support/worker.ts";

/** A total of 0 asks for no payment. Whatever the card would say, the order is made and nobody is in dunning over nothing. */

const { shop, worker } = useShop();

const testMethods = [
  "pm_success",
  "pm_card_declined",
  "pm_insufficient_funds",
  "pm_expired_card",
  "pm_requires_action",
  "pm_pending",
  "pm_timeout",
  "pm_timeout_not_charged",
  "pm_gateway_disabled",
  "pm_out_of_stock",
];
const all = { title: "On the house", value: 100, value_type: "PERCENTAGE", target_type: "ORDER" };

function withMethod(store_payment_method_id: string, more: object = {}) {
  return linked(shop, worker, { store_payment_method_id, next_delivery_date: inDays(7), ...more });
}

async function makeFree(id: string): Promise<void> {
  await done(shop.api, "POST", id, "discounts", all);
  const { total, lines } = await read(shop, id);
  expect([total, lines.length]).toEqual([0, 1]);
}

async function expectBilled(id: string): Promise<void> {
  expect(await attemptsOf(shop, id)).toMatchObject([{ status: "SUCCEEDED", amount: 0, error_code: null }]);
  expect(await ordersOf(shop, id)).toMatchObject([
    { status: "PAID", total: 0, store_order_id: expect.any(String) },
  ]);
  expect(await episodesOf(shop, id)).toEqual([]);
  expect(await read(shop, id)).toMatchObject({
    status: "ACTIVE",
    current_billing_cycle: 2,
    is_in_dunning: false,
    billing_blocked_reason: null,
    total_revenue: 0,
  });
}

test.each(testMethods)("by ship-now, with %s: one order, and no dunning", async (method) => {
  const id = await withMethod(method);
  await makeFree(id);
  await shipNow(shop, worker, id);
  await worker.drain();
  await expectBilled(id);
  expect(await chargesOf(id)).toMatchObject([{ state: "SUCCEEDED", amount: 0 }]);
});

test.each(testMethods)("by its schedule, with %s: one order, and no dunning", async (method) => {
  const id = await withMethod(method, { next_delivery_date: inDays(0) });
  await makeFree(id);
  await worker.tick();
  await expectBilled(id);
});

describe("a total that becomes 0 while a payment is owed", () => {
  test.each([
    ["pm_insufficient_funds", "on the next of the agreed days"],
    ["pm_expired_card", "instead of being given up after the last of them"],
  ])("with %s it is billed %s", async (method) => {
    const id = await withMethod(method);
    await shipNow(shop, worker, id);
    await worker.drain();
    expect(await episodesOf(shop, id)).toHaveLength(1);
    await makeFree(id);
    setClock(Date.now() + 8 * 86_400_000);
    await worker.tick();
    expect(await episodesOf(shop, id)).toMatchObject([{ status: "RECOVERED" }]);
    expect(await attemptsOf(shop, id)).toMatchObject([
      { status: "SUCCEEDED", amount: 0 },
      { status: "FAILED", amount: 10 },
    ]);
    expect(await read(shop, id)).toMatchObject({ status: "ACTIVE", current_billing_cycle: 2 });
  });

  test("after an expired card, and paid before a restore: the charge pays it, and the history says that nothing was asked for", async () => {
    const id = await withMethod("pm_expired_card");
    await shipNow(shop, worker, id);
    await worker.drain();
    await payLost(id);
    await makeFree(id);
    setClock(Date.now() + 8 * 86_400_000);
    await worker.tick();
    expect(await attemptsOf(shop, id)).toMatchObject([
      { status: "SUCCEEDED", amount: 10, trigger: "DUNNING" },
      { status: "FAILED", amount: 10, error_code: "expired_card" },
    ]);
    expect(await episodesOf(shop, id)).toMatchObject([{ status: "RECOVERED" }]);
    expect(await ordersOf(shop, id)).toMatchObject([{ status: "PAID", total: 10 }]);
    expect(await read(shop, id)).toMatchObject({ current_billing_cycle: 2, total_revenue: 10 });
    expect(await entriesOf(id)).toContainEqual(
      expect.objectContaining({
        action: "billing_succeeded",
        metadata: expect.objectContaining({ amount: 10, requested_amount: 0 }),
      }),
    );
  });
});

/** The store has charged the second attempt at the first cycle, with another card, and the database has lost it. */
async function payLost(subscription_id: string): Promise<void> {
  const [first] = (await select(
    "SELECT activation, cycle, store_key FROM billing_attempts WHERE subscription_id = ?",
    subscription_id,
  )) as [{ activation: number; cycle: number; store_key: string }];
  const { activation, cycle, store_key } = first;
  const attempt = { account_id: shop.of.account.id, subscription_id, activation, cycle, attempt_number: 2 };
  await execute(
    `INSERT INTO sandbox_charges (account_seq, idempotency_key, state, amount, currency_code, created_at, subscription_id)
      SELECT account_seq, ?1, 'SUCCEEDED', amount, currency_code, created_at, subscription_id FROM sandbox_charges
      WHERE idempotency_key = ?2`,
    await deriveStoreKey(attempt),
    store_key,
  );
}
