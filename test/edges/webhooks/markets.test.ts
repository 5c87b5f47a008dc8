/** A contract in another currency than the account's is billed and recorded in its own. */
import { describe, expect, test } from "vitest";
import { expectMirrored } from "../../stores/shopify/mirrored.ts";
import { useShop } from "../../stores/shopify/shop.ts";
import { soldAtCheckout } from "../../stores/shopify/sold.ts";
import { api } from "../../support/client.ts";
import { select } from "../../support/database.ts";
import { entriesOf, type Json, on, read } from "../../support/shops.ts";
import { ordersOf, shipNow } from "../../support/worker.ts";
import { hookedShop, processAll } from "./hooks.ts";

const shop = useShop(hookedShop);

const address = { address1: "1 High Street", city: "Leeds", zip: "LS1 1AA", countryCode: "GB" };

/** A customer of a shop in euros subscribes at the checkout in another currency: one product a month. */
async function subscribedIn(currency: string, price: string, more: Json = {}): Promise<string> {
  shop.store.settings.currencies = [currency];
  soldAtCheckout(shop, { currency, address, line: { currentPrice: price }, ...more });
  await processAll(shop);
  await shop.worker.drain();
  const [one] = await select<{ id: string }>(
    "SELECT id FROM subscriptions WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) ORDER BY seq DESC LIMIT 1",
    shop.merchant.of.account.id,
  );
  return one?.id ?? "none";
}

describe("a contract in another currency than the account's", () => {
  test("is a subscription in that currency, and the checkout's order is too", async () => {
    const id = await subscribedIn("GBP", "10.00");
    expect(await read(shop.merchant, id)).toMatchObject({
      status: "ACTIVE",
      currency_code: "GBP",
      total: 10,
      total_revenue: 10,
      billing_blocked_reason: null,
    });
    expect(await ordersOf(shop.merchant, id)).toMatchObject([{ currency_code: "GBP", total: 10 }]);
    const { body } = await api(shop.merchant.api, "GET", "/api/account/store/unsupported-contracts");
    expect(body.data).toEqual([]);
    await expectMirrored(shop, id);
  });

  test.each([
    ["GBP", "10.00", 1000, 10],
    ["JPY", "1500", 1500, 1500],
  ])(
    "is billed in it, to its own minor unit, and recorded as what was paid: %s",
    async (currency, price, minor, major) => {
      const id = await subscribedIn(currency, price);
      expect((await shipNow(shop.merchant, shop.worker, id)).status).toBe(200);
      await shop.worker.drain();
      expect(shop.store.charges).toMatchObject([{ amount: minor, currency }]);
      const attempts = await api(shop.merchant.api, "GET", `${on(id)}/billing-attempts`);
      expect(attempts.body.data).toMatchObject([
        { status: "SUCCEEDED", amount: major, currency_code: currency },
      ]);
      expect(await ordersOf(shop.merchant, id)).toMatchObject([
        { currency_code: currency, total: major },
        { currency_code: currency, total: major },
      ]);
      expect(await read(shop.merchant, id)).toMatchObject({
        total_revenue: 2 * major,
        current_billing_cycle: 3,
      });
      const entries = await entriesOf(id);
      expect(entries.map(({ action }) => action)).not.toContain("billing_review_required");
      await processAll(shop);
      expect(await read(shop.merchant, id)).toMatchObject({ total_revenue: 2 * major });
    },
  );

  test("takes prices and discounts in its own currency, with no more decimals than that has", async () => {
    const id = await subscribedIn("JPY", "1500");
    const [line] = (await read(shop.merchant, id)).lines;
    const change = (body: Json) =>
      shop.worker.call(shop.merchant.api, "PUT", `${on(id)}/lines/${line.id}`, { body });
    expect((await change({ price: 12.5 })).body).toMatchObject({
      errorCode: "VALIDATION_FAILED",
      details: [{ path: "price", message: "must be an amount of JPY, without decimals" }],
    });
    expect((await change({ price: 1600 })).body.data).toMatchObject({ total: 1600, currency_code: "JPY" });
    const discount = { title: "Thanks", target_type: "LINE_ITEM", value_type: "FIXED_AMOUNT" };
    const apply = (value: number) =>
      shop.worker.call(shop.merchant.api, "POST", `${on(id)}/discounts`, { body: { ...discount, value } });
    expect((await apply(0.5)).body).toMatchObject({
      errorCode: "VALIDATION_FAILED",
      details: [{ path: "value" }],
    });
    expect((await apply(100)).body.data).toMatchObject({ discount_amount: 100, total: 1500 });
    await shop.worker.drain();
    expect((await read(shop.merchant, id)).store_sync_error).toBeNull();
    expect(shop.store.contracts().at(-1)).toMatchObject({
      currency: "JPY",
      lines: [{ price: 1600 }],
      discounts: [{ fixed: { amount: 100 } }],
    });
  });

  test("takes a line of a plan that is a percentage, and none of a plan with amounts in the account's", async () => {
    const id = await subscribedIn("GBP", "10.00");
    const plan = async (more: Json): Promise<string> => {
      const terms = {
        id: `plan-${crypto.randomUUID()}`,
        name: "Monthly",
        billing_interval: "MONTH",
        billing_interval_count: 1,
      };
      const body = { ...terms, delivery_interval: "MONTH", delivery_interval_count: 1, ...more };
      return (await shop.worker.call(shop.merchant.api, "POST", "/api/subscriptions/selling-plans", { body }))
        .body.data.id;
    };
    const product = { store_product_id: "31002", store_variant_id: "41002", product_title: "Treats" };
    const add = async (selling_plan_id: string) =>
      shop.worker.call(shop.merchant.api, "POST", `${on(id)}/lines`, {
        body: { ...product, price: 5, quantity: 1, selling_plan_id },
      });
    for (const amounts of [{ shipping_amount: 4.9 }, { discount_type: "FIXED_AMOUNT", discount_value: 1 }])
      expect((await add(await plan(amounts))).body).toMatchObject({
        errorCode: "VALIDATION_FAILED",
        details: [{ path: "selling_plan_id", message: "has amounts in EUR, and the subscription is in GBP" }],
      });
    const added = await add(await plan({ discount_type: "PERCENTAGE", discount_value: 10 }));
    expect(added.body.data).toMatchObject({ total: 14.5, currency_code: "GBP" });
  });

  test("is not taken over where a code takes an amount off in the shop's own currency", async () => {
    shop.store.addCode("THREE", { amount: 300, recurringCycleLimit: 3 });
    expect(await subscribedIn("GBP", "10.00", { codes: ["THREE"] })).toBe("none");
    const { body } = await api(shop.merchant.api, "GET", "/api/account/store/unsupported-contracts");
    expect(body.data).toMatchObject([{ reason: "PRICES", message: "the code THREE is in EUR" }]);
  });
});
