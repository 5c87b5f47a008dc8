/** A contract has the code of its province, whatever name the address has it by. */
import { expect, test } from "vitest";
import { begin, putPart, release, rowsOf, start } from "../../domain/imports/imports.ts";
import { inDays } from "../../support/shops.ts";
import { profile } from "../../support/tenant.ts";
import { contractOf } from "./mirrored.ts";
import { useShop } from "./shop.ts";

const shop = useShop();

/** The first object within a contract that has a zip. */
function addressAt(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  if ("zip" in value) return value;
  for (const one of Object.values(value)) {
    const found = addressAt(one);
    if (found) return found;
  }
  return undefined;
}
const home = {
  address1: "12 Elm Street",
  city: "Brooklyn",
  region: "New York",
  postal_code: "11201",
  country_code: "US",
  country: "United States",
};

test("a profile's own address, whose region is a name", async () => {
  const customer = shop.store.addCustomer({ email: "own@example.com" });
  const { id: profile_id } = await profile(shop.merchant.of, {
    ...home,
    store_customer_id: customer.split("/").at(-1),
  });
  const card = shop.store.addPaymentMethod(customer);
  const made = await shop.worker.call(shop.merchant.api, "POST", "/api/subscriptions", {
    body: {
      profile_id,
      store_payment_method_id: card,
      next_delivery_date: inDays(10),
      lines: [
        {
          store_product_id: "31001",
          store_variant_id: "41001",
          product_title: "Kibble",
          selling_plan_id: shop.plan,
          price: 10,
          quantity: 1,
        },
      ],
    },
  });
  expect(made.status, made.text).toBe(201);
  await shop.worker.drain();
  const contract = await contractOf(shop, made.body.ids[0]);
  expect(addressAt(contract)).toMatchObject({ provinceCode: "NY" });
});

test("the columns of Shopify's own file: delivery_address_province_code NY, delivery_address_company", async () => {
  const customer = shop.store.addCustomer({ email: "file@example.com" });
  const card = shop.store.addPaymentMethod(customer);
  const last = (gid: string) => gid.split("/").at(-1)!;
  const columns = {
    handle: "c-1",
    upcoming_billing_date: `${inDays(10)}T12:00:00Z`,
    customer_id: last(customer),
    currency_code: "EUR",
    status: "ACTIVE",
    cadence_interval: "WEEK",
    cadence_interval_count: "1",
    customer_payment_method_id: last(card),
    delivery_price: "4.90",
    delivery_method_type: "SHIPPING",
    delivery_address_first_name: "Ada",
    delivery_address_last_name: "Lovelace",
    delivery_address_address1: "12 Elm Street",
    delivery_address_city: "Brooklyn",
    delivery_address_province_code: "NY",
    delivery_address_country_code: "US",
    delivery_address_company: "Acme",
    delivery_address_zip: "11201",
    line_variant_id: "41001",
    line_quantity: "1",
    line_current_price: "10.00",
    email: "file@example.com",
    line_product_id: "31001",
    line_selling_plan_id: shop.plan,
  };
  const id = await begin(shop.merchant, { format: "shopify" });
  const put = await putPart(
    shop.merchant,
    id,
    `${Object.keys(columns).join()}\n${Object.values(columns).join()}\n`,
  );
  expect(put.status, put.text).toBeLessThan(300);
  await start(shop.merchant, shop.worker, id, false);
  await start(shop.merchant, shop.worker, id, true);
  const [row] = await rowsOf(shop.merchant, id);
  expect(row.errors).toEqual([]);
  await release(shop.merchant, shop.worker, id);
  const contract = await contractOf(shop, row.record_id);
  expect(addressAt(contract)).toMatchObject({ provinceCode: "NY", company: "Acme" });
});

test("a province that Shopify does not know is refused where it is given, and told where it was there before", async () => {
  const customer = shop.store.addCustomer({ email: "other@example.com" });
  const store_customer_id = customer.split("/").at(-1);
  const { id: profile_id } = await profile(shop.merchant.of, {
    ...home,
    region: "Bavaria",
    store_customer_id,
  });
  const body = {
    ...{ profile_id, store_payment_method_id: shop.store.addPaymentMethod(customer) },
    next_delivery_date: inDays(10),
    lines: [
      {
        ...{ store_product_id: "31001", store_variant_id: "41001", product_title: "Kibble" },
        ...{ selling_plan_id: shop.plan, price: 10, quantity: 1 },
      },
    ],
  };
  const made = await shop.worker.call(shop.merchant.api, "POST", "/api/subscriptions", {
    body,
    query: { dry_run: true },
  });
  expect(made.body.warnings, made.text).toMatchObject([{ code: "province_unknown" }]);
  const address = { address1: "12 Elm Street", city: "Brooklyn", zip: "11201", country_code: "US" };
  const path = `/api/profiles/${profile_id}/addresses`;
  const send = (sent: object) => shop.worker.call(shop.merchant.admin, "POST", path, { body: sent });
  const refused = await send({ ...address, province: "Bavaria" });
  expect([refused.status, refused.body.details]).toEqual([
    400,
    [{ path: "province", message: "must be a province of United States" }],
  ]);
  const { data } = (await send({ ...address, province: "ny" })).body;
  expect(data).toMatchObject({ province: "New York", province_code: "NY" });
  const moved = await shop.worker.call(shop.merchant.admin, "PUT", `${path}/${data.id}`, {
    body: { province: "Texas" },
  });
  expect(moved.body.data).toMatchObject({ province: "Texas", province_code: "TX" });
});
