/** A challenge at Shopify waits three days for its customer, and pays once, even when it is confirmed late. */
import { beforeEach, describe, expect, test } from "vitest";
import { plain } from "../../support/fake-shopify/ids.ts";
import { outcomes } from "../../support/fake-shopify.ts";
import { entriesOf, type Json, read } from "../../support/shops.ts";
import { attemptsOf, episodesOf, later, ordersOf, shipNow } from "../../support/worker.ts";
import { subscribed, useShop } from "./shop.ts";

/** A challenge that nobody answers has a deadline of 72 hours, whether Shopify ends it or not. */

const shop = useShop();
let id: string;
beforeEach(async () => {
  id = await subscribed(shop);
  shop.store.nextOutcomes(outcomes.challenge());
  await shipNow(shop.merchant, shop.worker, id);
  await shop.worker.drain({ soon: false });
  await pass(1);
  expect(await attempts()).toMatchObject([{ status: "ACTION_REQUIRED" }]);
});

function attempts(): Promise<Json[]> {
  return attemptsOf(shop.merchant, id);
}

/** Cron runs in steps of some hours, which are shorter towards the end. */
async function pass(hours: number): Promise<void> {
  for (let left = hours; left > 0; ) {
    const step = left > 12 ? 6 : 1;
    await later(shop.worker, step * 3600);
    left -= step;
  }
}

async function anotherCard(): Promise<void> {
  const customer = shop.store.contracts()[0]!.customer.id;
  const { status, text } = await shop.worker.call(
    shop.merchant.api,
    "PUT",
    `/api/subscriptions/${id}/payment-method`,
    { body: { store_payment_method_id: shop.store.addPaymentMethod(customer) } },
  );
  if (status !== 200) throw new Error(text);
  await shop.worker.drain();
}

test("it waits for the customer for three days", async () => {
  await pass(69);
  expect(await attempts()).toMatchObject([{ status: "ACTION_REQUIRED" }]);
  shop.store.confirm(shop.store.attempts[0]!.id);
  await pass(2);
  expect(await attempts()).toMatchObject([{ status: "SUCCEEDED" }]);
  expect(shop.store.charges).toHaveLength(1);
});

describe("after the deadline", () => {
  beforeEach(async () => {
    await pass(74);
  });

  test("it is a decline for good: dunning waits for the customer, and says so once", async () => {
    expect(await attempts()).toMatchObject([{ status: "FAILED", error_code: "authentication_expired" }]);
    expect(await episodesOf(shop.merchant, id)).toMatchObject([{ status: "AWAITING_CUSTOMER" }]);
    expect(await read(shop.merchant, id)).toMatchObject({ is_in_dunning: true, can_retry_payment: true });
    const failures = (await entriesOf(id)).filter(({ action }) => action === "billing_failed");
    expect(failures).toHaveLength(1);
    expect(shop.store.charges).toEqual([]);
  });

  test("another card pays at once, though the challenge is still open at Shopify", async () => {
    await anotherCard();
    expect(await episodesOf(shop.merchant, id)).toMatchObject([{ status: "RECOVERED" }]);
    expect(shop.store.charges).toHaveLength(1);
  });

  test("one confirmed late pays the cycle: the next try finds it, and charges nothing", async () => {
    shop.store.confirm(shop.store.attempts[0]!.id);
    expect(shop.store.charges).toHaveLength(1);
    await anotherCard();
    expect(shop.store.charges).toHaveLength(1);
    const [latest] = await attempts();
    expect(latest).toMatchObject({ status: "SUCCEEDED", attempt_number: 2, amount: 24.9 });
    expect(await episodesOf(shop.merchant, id)).toMatchObject([{ status: "RECOVERED" }]);
    expect(await ordersOf(shop.merchant, id)).toMatchObject([
      { store_order_id: plain(shop.store.charges[0]!.order!), total: 24.9 },
    ]);
    expect((await read(shop.merchant, id)).current_billing_cycle).toBe(2);
  });
});

test("where Shopify ends it first, that counts", async () => {
  shop.store.settings.challengeLivesMs = 24 * 3_600_000;
  await pass(27);
  expect(await attempts()).toMatchObject([{ status: "FAILED", error_code: "expired_buyer_action" }]);
  expect(await episodesOf(shop.merchant, id)).toMatchObject([{ status: "AWAITING_CUSTOMER" }]);
});
