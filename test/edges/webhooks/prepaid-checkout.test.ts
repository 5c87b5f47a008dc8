/** A prepaid checkout is delivered month by month to its second charge. */
import { expect, test } from "vitest";
import { expectMirrored } from "../../stores/shopify/mirrored.ts";
import { useShop } from "../../stores/shopify/shop.ts";
import { select } from "../../support/database.ts";
import { addPlan, type Json, read, rowOf } from "../../support/shops.ts";
import { ordersOf, setClock } from "../../support/worker.ts";
import { hookedShop, processAll } from "./hooks.ts";

/** A prepaid plan sold at the checkout: three months are paid at once, and delivered month by month. */

const shop = useShop(hookedShop);

const address = {
  address1: "Invalidenstr. 1",
  city: "Berlin",
  zip: "10115",
  countryCode: "DE",
  firstName: "Grace",
  lastName: "Hopper",
};

/** Time passes as cron sees it: to a day's noon, with what falls due there. */
async function until(day: string): Promise<void> {
  setClock(`${day}T12:00:00Z`);
  await shop.worker.tick();
  await processAll(shop);
  await shop.worker.drain();
  await shop.worker.tick();
}

async function sold(): Promise<string> {
  const plan = await addPlan(shop.merchant, {
    name: "Three months",
    billing_interval: "MONTH",
    billing_interval_count: 3,
    delivery_interval: "MONTH",
    delivery_interval_count: 1,
  });
  await shop.worker.drain();
  await until("2027-01-14");
  const [atStore] = await select<{ store_plan_id: string }>(
    "SELECT store_plan_id FROM selling_plans WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) AND id = ?",
    shop.merchant.of.account.id,
    plan,
  );
  setClock("2027-01-15T10:00:00Z");
  const customer = shop.store.addCustomer({ email: "grace@customers.test", firstName: "Grace" });
  shop.store.variants.set("gid://shopify/ProductVariant/41001", { sku: "KIBBLE-1" });
  shop.store.checkoutContract({
    customer,
    method: shop.store.addPaymentMethod(customer),
    deliveryPrice: "4.90",
    address,
    policy: { interval: "MONTH", intervalCount: 3 },
    deliveryPolicy: { interval: "MONTH", intervalCount: 1 },
    nextBillingDate: "2027-04-15T10:00:00Z",
    lines: [
      {
        productVariantId: "gid://shopify/ProductVariant/41001",
        quantity: 2,
        currentPrice: "30.00",
        sellingPlanId: `gid://shopify/SellingPlan/${atStore!.store_plan_id}`,
        sellingPlanName: "Three months",
      },
    ],
  });
  await processAll(shop);
  await shop.worker.drain();
  const [row] = await select<{ id: string }>(
    "SELECT id FROM subscriptions WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) AND store_origin_order_id IS NOT NULL",
    shop.merchant.of.account.id,
  );
  return row!.id;
}

/** Orders of the subscription, oldest first, by what a warehouse asks first. */
async function deliveries(id: string): Promise<Json[]> {
  return (await ordersOf(shop.merchant, id))
    .map(({ delivery_date, total, is_prepaid, prepaid_delivery, prepaid_deliveries }) => [
      delivery_date,
      total,
      is_prepaid,
      prepaid_delivery,
      prepaid_deliveries,
    ])
    .reverse();
}

test("from the checkout to the second charge: each delivery comes in its month, and says which of how many it is", async () => {
  const id = await sold();
  expect(await rowOf(id)).toMatchObject({
    billing_interval: "MONTH",
    billing_interval_count: 3,
    delivery_interval: "MONTH",
    delivery_interval_count: 1,
    deliveries_per_billing: 3,
  });
  expect(await read(shop.merchant, id)).toMatchObject({
    current_billing_cycle: 2,
    next_delivery_date: "2027-02-15",
    next_billing_date: "2027-04-15",
    total: 64.9,
  });
  await expectMirrored(shop, id);
  for (const day of ["2027-02-14", "2027-02-15", "2027-03-15"]) await until(day);
  expect(shop.store.charges).toEqual([]);
  expect(await deliveries(id)).toEqual([
    [null, 64.9, false, 1, 3],
    ["2027-02-15", 0, true, 2, 3],
    ["2027-03-15", 0, true, 3, 3],
  ]);
  for (const day of ["2027-04-14", "2027-04-15", "2027-05-15", "2027-06-15"]) await until(day);
  expect(shop.store.charges).toMatchObject([{ amount: 6490 }]);
  expect((await deliveries(id)).slice(3)).toEqual([
    ["2027-04-15", 64.9, false, 1, 3],
    ["2027-05-15", 0, true, 2, 3],
    ["2027-06-15", 0, true, 3, 3],
  ]);
  await until("2027-07-15");
  expect(shop.store.charges).toMatchObject([{ amount: 6490 }, { amount: 6490 }]);
  expect(await read(shop.merchant, id)).toMatchObject({
    current_billing_cycle: 4,
    next_delivery_date: "2027-08-15",
    next_billing_date: "2027-10-15",
  });
  await expectMirrored(shop, id);
});

test("a delivery's order has what a warehouse packs and where it goes, and so has a billed one", async () => {
  const id = await sold();
  const { status } = await shop.worker.call(
    shop.merchant.api,
    "PUT",
    `/api/subscriptions/${id}/delivery-instructions`,
    { body: { delivery_instructions: "Ring twice" } },
  );
  expect(status).toBe(200);
  await until("2027-02-15");
  for (const day of ["2027-03-15", "2027-04-15"]) await until(day);
  const [billed, , delivery] = await ordersOf(shop.merchant, id);
  const line = {
    store_product_id: expect.any(String),
    store_variant_id: "41001",
    sku: "KIBBLE-1",
    selling_plan_name: "Three months",
    quantity: 2,
    is_one_time: false,
    selection_items: null,
  };
  const common = {
    delivery_address: {
      address1: "Invalidenstr. 1",
      city: "Berlin",
      zip: "10115",
      country: "Germany",
      country_code: "DE",
      first_name: "Grace",
      last_name: "Hopper",
    },
    delivery_instructions: "Ring twice",
    profile: { email: "grace@customers.test" },
    subscriptions: [{ id }],
  };
  expect(delivery).toMatchObject({
    ...common,
    delivery_date: "2027-02-15",
    is_prepaid: true,
    subtotal: 0,
    lines: [{ ...line, price: 0, line_total: 0, discount_amount: 0 }],
  });
  expect(billed).toMatchObject({
    ...common,
    delivery_date: "2027-04-15",
    is_prepaid: false,
    subtotal: 60,
    lines: [{ ...line, price: 30, line_total: 60, discount_amount: 0 }],
  });
});

test("what changes in the subscription later does not reach an order that was placed", async () => {
  const id = await sold();
  await until("2027-02-15");
  const before = (await ordersOf(shop.merchant, id))[0];
  await shop.worker.call(shop.merchant.api, "PUT", `/api/subscriptions/${id}/delivery-address`, {
    body: {
      address1: "2 High Street",
      city: "London",
      zip: "N1",
      country: "United Kingdom",
      country_code: "GB",
    },
  });
  await shop.worker.drain();
  expect((await ordersOf(shop.merchant, id))[0]).toEqual(before);
  await until("2027-03-15");
  expect((await ordersOf(shop.merchant, id))[0].delivery_address).toMatchObject({
    address1: "2 High Street",
  });
});
