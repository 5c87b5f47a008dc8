/** A contract of the checkout becomes one subscription with its customer, address, dates and order. */
import { describe, expect, test, vi } from "vitest";
import { expectMirrored } from "../../stores/shopify/mirrored.ts";
import { subscribed, useShop } from "../../stores/shopify/shop.ts";
import { berlin, soldAtCheckout } from "../../stores/shopify/sold.ts";
import { select } from "../../support/database.ts";
import { plain } from "../../support/fake-shopify/ids.ts";
import { deliver, entriesOf, feedOf, type Json, read, rowOf } from "../../support/shops.ts";
import { interrupted } from "../../support/slow-database.ts";
import { staff } from "../../support/tenant.ts";
import { ordersOf, shipNow } from "../../support/worker.ts";
import { sendAccepted as accepted, hookedShop, processAll, sendAll } from "./hooks.ts";

const shop = useShop(hookedShop);

/** A customer subscribes at the checkout to 2 × 10.00 a month, and 4.90 for delivery. */
function sold(changes: Parameters<typeof soldAtCheckout>[1] = {}): string {
  const address = { ...berlin, firstName: "Grace" };
  const line = { quantity: 2, sellingPlanName: "Monthly" };
  return soldAtCheckout(shop, { deliveryPrice: "4.90", address, line, ...changes });
}

/** The subscriptions that were created from contracts of the checkout. */
function importedSubscriptions(): Promise<{ id: string; store_contract_id: number }[]> {
  return select(
    "SELECT id, store_contract_id FROM subscriptions WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) AND store_origin_order_id IS NOT NULL ORDER BY seq",
    shop.merchant.of.account.id,
  );
}

async function oneImported(): Promise<{ id: string }> {
  const [one, ...others] = await importedSubscriptions();
  if (!one || others.length > 0) throw new Error(`${others.length + (one ? 1 : 0)} were imported`);
  return one;
}

test("an address of the store's is taken as it is, also with a code that no request may have", async () => {
  sold({ address: { ...berlin, countryCode: "AC" } });
  await processAll(shop);
  const { id } = await oneImported();
  expect(await read(shop.merchant, id)).toMatchObject({
    delivery_address: { country: "Ascension Island", country_code: "AC" },
  });
});

describe("an address that is changed", () => {
  const goesTo = (): string => JSON.stringify(shop.store.contracts().at(-1)!.deliveryMethod);
  const addressOf = async (): Promise<Json> => {
    const { id: _, ...address } = (await read(shop.merchant, (await oneImported()).id)).delivery_address;
    return address;
  };
  const changed = async (address: Json): Promise<void> => {
    const path = `/api/subscriptions/${(await oneImported()).id}/delivery-address`;
    const { status, text } = await shop.worker.call(shop.merchant.api, "PUT", path, { body: address });
    expect(status, text).toBe(200);
  };
  /** Has the contract imported over a line on which something is done around a statement. */
  const imported = async (statement: RegExp, around: Parameters<typeof interrupted>[1]): Promise<void> => {
    sold();
    await sendAll(shop);
    const DB = interrupted(statement, around);
    const jobs = shop.worker.sent();
    shop.worker.forget();
    await deliver(jobs, { bindings: { ...shop.worker.bindings, DB } });
  };

  test("before the one of the checkout is noted is sent", async () => {
    const after = async () => changed({ ...(await addressOf()), address1: "Neue Str. 2" });
    await imported(/insert into "subscriptions"/i, { after, once: true });
    await shop.worker.drain();
    expect(goesTo()).toContain("Neue Str. 2");
  });

  test("and sent while the one of the checkout is noted: that is sent as well once it is chosen again", async () => {
    let first: Json = {};
    const before = async () => {
      first = await addressOf();
      await changed({ ...first, address1: "Neue Str. 2" });
      await shop.worker.drain();
      expect(goesTo()).toContain("Neue Str. 2");
    };
    await imported(/insert into "?shopify_contracts"? .*"delivery" is null/i, { before, once: true });
    await changed(first);
    await shop.worker.drain();
    expect(goesTo()).toContain("Invalidenstr. 1");
  });
});

test("a contract of the checkout becomes a subscription: its customer, lines, dates and order", async () => {
  const contract = shop.store.contract(sold());
  await processAll(shop);
  await shop.worker.drain();
  const { id } = await oneImported();
  expect(await read(shop.merchant, id)).toMatchObject({
    status: "ACTIVE",
    store_contract_id: contract.number,
    store_origin_order_id: plain(contract.originOrder!.id),
    store_sync_error: null,
    current_billing_cycle: 2,
    billing_interval: "MONTH",
    billing_interval_count: 1,
    next_billing_date: contract.nextBillingDate.slice(0, 10),
    next_delivery_date: contract.nextBillingDate.slice(0, 10),
    subtotal: 20,
    shipping_amount: 4.9,
    total: 24.9,
    total_revenue: 24.9,
    payment_method_last4: "4242",
    delivery_address: { address1: "Invalidenstr. 1", country: "Germany", country_code: "DE" },
    profile: { email: "grace@customers.test", first_name: "Grace" },
    lines: [{ store_variant_id: "41001", selling_plan_id: "4401", quantity: 2, price: 10 }],
  });
  expect(await ordersOf(shop.merchant, id)).toMatchObject([
    { order_type: "SUBSCRIPTION", is_checkout_order: true, status: "PAID", total: 24.9 },
  ]);
  const feed = await feedOf(shop.merchant, id);
  expect(feed.map(({ action, actor_type }) => [action, actor_type])).toContainEqual([
    "subscription_created",
    "system",
  ]);
  await expectMirrored(shop, id);
});

test("it is then billed like any other subscription", async () => {
  sold();
  await processAll(shop);
  await shop.worker.drain();
  const { id } = await oneImported();
  expect((await shipNow(shop.merchant, shop.worker, id)).status).toBe(200);
  await shop.worker.drain();
  expect(shop.store.charges).toMatchObject([{ amount: 2490 }]);
  expect(await read(shop.merchant, id)).toMatchObject({ current_billing_cycle: 3, total_revenue: 49.8 });
});

test("webhooks in any order, repeated and concurrent, create one subscription and one order", async () => {
  sold();
  const hooks = await shop.store.webhooks();
  for (const hook of [...hooks.toReversed(), ...hooks]) await accepted(shop, hook);
  await shop.worker.drain();
  const { id } = await oneImported();
  expect(await ordersOf(shop.merchant, id)).toHaveLength(1);
  expect((await read(shop.merchant, id)).total_revenue).toBe(24.9);
  expect((await entriesOf(id)).filter(({ action }) => action === "subscription_created")).toHaveLength(1);
});

describe("its customer", () => {
  const profiles = async (): Promise<Json[]> => {
    const query = { email: "grace@customers.test" };
    return (
      await shop.worker.call(await staff(shop.merchant.of, "Ada Admin"), "GET", "/api/profiles", { query })
    ).body.data;
  };

  test("has one profile for all subscriptions", async () => {
    const customer = shop.store.contract(sold()).customer.id;
    await processAll(shop);
    await shop.worker.drain();
    shop.store.checkoutContract({
      customer,
      method: shop.store.addPaymentMethod(customer),
      address: berlin,
      lines: [
        {
          productVariantId: "gid://shopify/ProductVariant/41002",
          quantity: 1,
          currentPrice: "5.00",
          sellingPlanId: "gid://shopify/SellingPlan/4401",
        },
      ],
    });
    await processAll(shop);
    await shop.worker.drain();
    expect(await importedSubscriptions()).toHaveLength(2);
    expect(await profiles()).toMatchObject([{ store_customer_id: plain(customer) }]);
  });

  test("is the profile with that e-mail address, if there is one", async () => {
    await shop.worker.call(await staff(shop.merchant.of, "Ada Admin"), "POST", "/api/profiles", {
      body: { email: "Grace@customers.test", last_name: "Hopper" },
    });
    const { customer } = shop.store.contract(sold());
    await processAll(shop);
    await shop.worker.drain();
    expect(await profiles()).toMatchObject([{ last_name: "Hopper", store_customer_id: plain(customer.id) }]);
    expect(await importedSubscriptions()).toHaveLength(1);
  });

  test("without an e-mail address gets no subscription here, and the webhook is done", async () => {
    sold({ customer: { email: null } });
    await processAll(shop);
    await shop.worker.drain();
    expect(await importedSubscriptions()).toEqual([]);
  });
});

test("a subscription from the 31st is billed on the 31st of months that have one", async () => {
  vi.useFakeTimers({ now: Date.parse("2027-01-31T10:00:00Z"), toFake: ["Date"] });
  sold({ nextBillingDate: "2027-02-28T10:00:00Z" });
  await processAll(shop);
  await shop.worker.drain();
  const { id } = await oneImported();
  const { body } = await shop.worker.call(shop.merchant.api, "GET", `/api/subscriptions/${id}/upcoming`, {
    query: { count: 3 },
  });
  expect(body.data.map(({ billing_date }: Json) => billing_date)).toEqual([
    "2027-02-28",
    "2027-03-31",
    "2027-04-30",
  ]);
});

test("a customer who prepaid at the checkout receives those deliveries, then is billed for as many again", async () => {
  vi.useFakeTimers({ now: Date.parse("2027-01-31T10:00:00Z"), toFake: ["Date"] });
  const policy = { interval: "MONTH", intervalCount: 3 } as const;
  sold({
    policy,
    deliveryPolicy: { ...policy, intervalCount: 1 },
    nextBillingDate: "2027-04-30T10:00:00Z",
  });
  await processAll(shop);
  await shop.worker.drain();
  const { id } = await oneImported();
  expect(await rowOf(id)).toMatchObject({ deliveries_per_billing: 3, next_billing_date: "2027-04-30" });
  const { body } = await shop.worker.call(shop.merchant.api, "GET", `/api/subscriptions/${id}/upcoming`, {
    query: { count: 4 },
  });
  expect(body.data.map((one: Json) => [one.delivery_date, one.is_billed, one.cycle])).toEqual([
    ["2027-02-28", false, 1],
    ["2027-03-31", false, 1],
    ["2027-04-30", true, 2],
    ["2027-05-31", false, 2],
  ]);
  await expectMirrored(shop, id);
});

test("the webhook of a contract that was created here imports no second subscription", async () => {
  await subscribed(shop);
  await processAll(shop);
  await shop.worker.drain();
  expect(
    await select(
      "SELECT id FROM subscriptions WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
      shop.merchant.of.account.id,
    ),
  ).toHaveLength(1);
});

test("a profile that adds a card gets the store_customer_id of the card, if the e-mail address is the same", async () => {
  const customer = shop.store.addCustomer({ email: "Alan@customers.test" });
  const { body } = await shop.worker.call(
    await staff(shop.merchant.of, "Ada Admin"),
    "POST",
    "/api/profiles",
    {
      body: { email: "alan@customers.test" },
    },
  );
  const profileId = body.data.id;
  const card = shop.store.addPaymentMethod(customer);
  const id = await subscribed({ ...shop, profileId, card });
  const { profile } = await read(shop.merchant, id);
  expect(profile).toMatchObject({ id: profileId, store_customer_id: plain(customer) });
});
