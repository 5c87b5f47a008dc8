/** A contract without a payment method becomes a subscription that waits for one. */
import { beforeEach, expect, test } from "vitest";
import { expectMirrored } from "../../stores/shopify/mirrored.ts";
import { useShop } from "../../stores/shopify/shop.ts";
import { select } from "../../support/database.ts";
import { actionsOf, read } from "../../support/shops.ts";
import { attemptsOf, episodesOf, later, shipNow } from "../../support/worker.ts";
import { hookedShop, processAll } from "./hooks.ts";

/** A contract may have no payment method; nothing is charged until it has one. */

const shop = useShop(hookedShop);
let customer: string;
let id: string;
beforeEach(async () => {
  customer = shop.store.addCustomer({ email: "grace@customers.test" });
  shop.store.checkoutContract({
    customer,
    deliveryPrice: "4.90",
    address: { address1: "Invalidenstr. 1", city: "Berlin", zip: "10115", countryCode: "DE" },
    lines: [
      {
        productVariantId: "gid://shopify/ProductVariant/41001",
        quantity: 2,
        currentPrice: "10.00",
        sellingPlanId: `gid://shopify/SellingPlan/${shop.plan}`,
        sellingPlanName: "Weekly",
      },
    ],
  });
  await processAll(shop);
  await shop.worker.drain();
  const [row] = await select<{ id: string }>(
    "SELECT id FROM subscriptions WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
    shop.merchant.of.account.id,
  );
  id = row!.id;
  await shipNow(shop.merchant, shop.worker, id);
  await shop.worker.drain();
});

function attempted(): number {
  return shop.store.requests.filter(({ operation }) => operation === "CreateAttempt").length;
}

test("it becomes a subscription that is not charged: its billing says what it waits for", async () => {
  expect(attempted()).toBe(0);
  expect(await attemptsOf(shop.merchant, id)).toMatchObject([
    { status: "FAILED", error_code: "payment_method_not_specified" },
  ]);
  expect(await read(shop.merchant, id)).toMatchObject({
    status: "ACTIVE",
    store_sync_error: null,
    is_in_dunning: false,
    billing_blocked_reason: "payment_method_not_specified",
  });
  expect(await episodesOf(shop.merchant, id)).toEqual([]);
  expect(await actionsOf(id)).toContain("billing_waiting");
  await expectMirrored(shop, id);
});

test("with a payment method the wait ends at its next try, under the same key", async () => {
  const { status } = await shop.worker.call(
    shop.merchant.api,
    "PUT",
    `/api/subscriptions/${id}/payment-method`,
    { body: { store_payment_method_id: shop.store.addPaymentMethod(customer) } },
  );
  expect(status).toBe(200);
  await shop.worker.drain();
  for (let tries = 0; tries < 3; tries++) await later(shop.worker, 3700);
  expect(attempted()).toBe(1);
  expect(shop.store.charges).toHaveLength(1);
  expect((await attemptsOf(shop.merchant, id))[0]).toMatchObject({ status: "SUCCEEDED", attempt_number: 1 });
  expect(await read(shop.merchant, id)).toMatchObject({ billing_blocked_reason: null });
});
