/** A challenge that is confirmed late pays what is owed, or is an alert that the customer has paid twice. */
import { beforeEach, expect, test } from "vitest";
import { subscribed, useShop } from "../../stores/shopify/shop.ts";
import { plain } from "../../support/fake-shopify/ids.ts";
import { outcomes } from "../../support/fake-shopify.ts";
import { type Json, read } from "../../support/shops.ts";
import { attemptsOf, episodesOf, ordersOf, setClock, shipNow } from "../../support/worker.ts";
import { payWithAnotherCard } from "./expired-challenges.ts";
import { hookedShop, logged, processAll } from "./hooks.ts";

/** A challenge that was given up here is confirmed at Shopify after all: its webhook says so, and nobody has to wait for the night. */

const shop = useShop(hookedShop);
let id: string;
beforeEach(async () => {
  id = await subscribed(shop);
  shop.store.nextOutcomes(outcomes.challenge());
  await shipNow(shop.merchant, shop.worker, id);
  await shop.worker.drain({ soon: false });
  for (let hours = 0; hours < 75; hours += 3) {
    setClock(Date.now() + 3 * 3_600_000);
    await shop.worker.tick();
  }
  await processAll(shop);
  expect(await attempts()).toMatchObject([{ status: "FAILED", error_code: "authentication_expired" }]);
});

function attempts(): Promise<Json[]> {
  return attemptsOf(shop.merchant, id);
}

async function confirmed(): Promise<Json[]> {
  shop.store.confirm(shop.store.attempts[0]!.id);
  const lines = await logged(async () => {
    await processAll(shop);
    await shop.worker.drain();
  });
  return lines.filter(({ event }) => event === "charge_not_reconciled");
}

test("while the payment is owed, it pays the cycle at once, and nothing else is charged", async () => {
  expect(await confirmed()).toEqual([]);
  expect(shop.store.charges).toHaveLength(1);
  const [latest] = await attempts();
  expect(latest).toMatchObject({ status: "SUCCEEDED", attempt_number: 2, amount: 24.9 });
  expect(await episodesOf(shop.merchant, id)).toMatchObject([{ status: "RECOVERED" }]);
  expect(await ordersOf(shop.merchant, id)).toMatchObject([
    { store_order_id: plain(shop.store.charges[0]!.order), total: 24.9 },
  ]);
  expect((await read(shop.merchant, id)).current_billing_cycle).toBe(2);
});

test("the same webhook again, and later ones, report nothing", async () => {
  await confirmed();
  const { key, id: gid } = shop.store.attempts[0]!;
  const again = await shop.store.webhookOf("subscription_billing_attempts/success", {
    admin_graphql_api_id: gid,
    idempotency_key: key,
  });
  const lines = await logged(async () => {
    await processAll(shop, () => [again]);
    await shop.worker.drain();
  });
  expect(lines.filter(({ event }) => event === "charge_not_reconciled")).toEqual([]);
  expect(await attempts()).toHaveLength(2);
});

test("after another card has paid, it is an alert: the customer has paid twice", async () => {
  const customer = shop.store.contracts()[0]!.customer.id;
  await shop.worker.call(shop.merchant.api, "PUT", `/api/subscriptions/${id}/payment-method`, {
    body: { store_payment_method_id: shop.store.addPaymentMethod(customer) },
  });
  await shop.worker.drain();
  await processAll(shop);
  expect(await attempts()).toMatchObject([{ status: "SUCCEEDED" }, { status: "FAILED" }]);
  expect(await confirmed()).toMatchObject([
    {
      alert: true,
      problem: "recorded_as_not_charged",
      reference: shop.store.attempts[0]!.id,
      subscription_id: id,
    },
  ]);
  expect(shop.store.charges).toHaveLength(2);
  expect(await attempts()).toHaveLength(2);
  expect((await read(shop.merchant, id)).current_billing_cycle).toBe(2);
});

test("after another card has paid, and its webhook was lost, the next cycle is charged as usual", async () => {
  await payWithAnotherCard(shop, id);
  expect((await read(shop.merchant, id)).current_billing_cycle).toBe(2);
  shop.store.confirm(shop.store.attempts[0]!.id);
  await shop.store.webhooks();
  setClock(Date.now() + 3_600_000);
  await shipNow(shop.merchant, shop.worker, id);
  await shop.worker.drain();
  expect((await attempts())[0]).toMatchObject({ cycle: 2, status: "SUCCEEDED", amount: 24.9 });
  expect((await read(shop.merchant, id)).current_billing_cycle).toBe(3);
});

test("after the subscription has begun anew, and its webhook was lost, the new life is charged as usual", async () => {
  for (const part of ["cancel", "reactivate"]) {
    await shop.worker.call(shop.merchant.api, "POST", `/api/subscriptions/${id}/${part}`);
    await shop.worker.drain();
  }
  await processAll(shop);
  shop.store.confirm(shop.store.attempts[0]!.id);
  await shop.store.webhooks();
  setClock(Date.now() + 3_600_000);
  await shipNow(shop.merchant, shop.worker, id);
  await shop.worker.drain();
  expect((await attempts())[0]).toMatchObject({ cycle: 1, status: "SUCCEEDED", amount: 24.9 });
  expect((await read(shop.merchant, id)).current_billing_cycle).toBe(2);
});

test("after the subscription was cancelled, it is an alert", async () => {
  await shop.worker.call(shop.merchant.api, "POST", `/api/subscriptions/${id}/cancel`);
  await shop.worker.drain();
  await processAll(shop);
  expect(await confirmed()).toMatchObject([{ alert: true, problem: "recorded_as_not_charged" }]);
});
