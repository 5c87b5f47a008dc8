import { expect, test } from "vitest";
import { checkMark } from "../../src/stores/shopify/contract-input.ts";
import { useShop } from "../shopify/shop.ts";
import { api } from "../support/client.ts";
import { select } from "../support/database.ts";
import { hookedShop, processAll } from "./hooks.ts";

const shop = useShop(hookedShop);

function subscriptions(): Promise<object[]> {
  return select(
    "SELECT id FROM subscriptions WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
    shop.merchant.of.account.id,
  );
}

test.each([
  ["is taken over", [], 1],
  ["is left alone with the mark of a check", [{ key: checkMark, value: "yes" }], 0],
])("a contract that was not made here %s", async (_what, customAttributes, taken) => {
  const customer = shop.store.addCustomer({ email: "grace@customers.test" });
  const contract = shop.store.checkoutContract({
    customer,
    method: shop.store.addPaymentMethod(customer),
    address: { address1: "Invalidenstr. 1", city: "Berlin", zip: "10115", countryCode: "DE" },
    lines: [
      {
        productVariantId: "gid://shopify/ProductVariant/41001",
        quantity: 1,
        currentPrice: "10.00",
        sellingPlanId: `gid://shopify/SellingPlan/${shop.plan}`,
      },
    ],
  });
  Object.assign(shop.store.contract(contract), { customAttributes, originOrder: null });
  await processAll(shop);
  await shop.worker.drain();
  expect(await subscriptions()).toHaveLength(taken);
  const listed = await api(shop.merchant.admin, "GET", "/api/account/store/unsupported-contracts");
  expect(listed.body.data).toEqual([]);
  expect(shop.store.contract(contract)).toMatchObject({ status: "ACTIVE", customAttributes });
});
