/** The document and the API refuse the same values: types, discounts, and decimals of amounts. */
import { describe, expect, test } from "vitest";
import { exponentOf } from "../../src/base/lib/money.ts";
import { api } from "../support/client.ts";
import { apiDocument, faultsOf, type Schema } from "../support/document.ts";
import { attemptOf, orderOf, put } from "../support/records.ts";
import { itemOf, type Json, openShop, type Shop, subscribe } from "../support/shops.ts";

const schemas = apiDocument.components.schemas;

/** Every schema inside a value of the document, with the keys that lead to it. */
function schemasIn(value: unknown, path: string): [string, Schema][] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.entries(value).filter(([key]) => !["example", "examples", "enum"].includes(key));
  return [[path, value as Schema], ...inner.flatMap(([key, member]) => schemasIn(member, `${path}.${key}`))];
}

test("a schema has one type, or one and null, as generators of clients need it", () => {
  const several = schemasIn(apiDocument, "document").filter(
    ([, { type }]) => Array.isArray(type) && type.filter((name) => name !== "null").length > 1,
  );
  expect(several.map(([path]) => path)).toEqual([]);
});

describe("a discount of a plan has both its type and its value, or neither", () => {
  const terms = { id: "plan-1", name: "Weekly", billing_interval: "WEEK", billing_interval_count: 1 };
  test.each([{ discount_type: "PERCENTAGE" }, { discount_type: "FIXED_AMOUNT" }, { discount_value: 5 }])(
    "the document and the API refuse %j alone",
    async (alone) => {
      const { of } = await openShop();
      const body = { ...terms, ...alone };
      expect(faultsOf({ $ref: "#/components/schemas/SellingPlanCreate" }, body)).not.toEqual([]);
      const answer = await api(of, "POST", "/api/subscriptions/selling-plans", { body });
      expect([answer.status, answer.body.errorCode]).toEqual([400, "VALIDATION_FAILED"]);
    },
  );
});

/** A request that names one amount, as a dry run where there is one. */
type Request = (shop: Shop, amount: number) => Promise<Json>;

const dry = { dry_run: true };
const plans = "/api/subscriptions/selling-plans";

function subscription(shop: Shop, lines: object[]) {
  return {
    profile_id: shop.profileId,
    store_payment_method_id: "pm_success",
    next_delivery_date: "2035-01-01",
    lines,
  };
}

function selected(price: number) {
  return {
    ...{ slot_id: "1", store_product_id: "1", store_variant_id: "1", product_title: "A", quantity: 1 },
    price,
  };
}

/** Every amount that a request can name, by its schema and field; `amount` of a review is in test/domain/billing/review.test.ts. */
const amounts: Record<string, Request> = {
  "AccountUpdate.support_max_refund": (shop, support_max_refund) =>
    api(shop.of, "PUT", "/api/account", { body: { support_max_refund } }),
  "StaffTokenRequest.max_amount": (shop, max_amount) =>
    api(shop.of, "POST", "/api/auth/token", { body: { actor_type: "admin", max_amount } }),
  "ApiKeyCreate.max_amount": (shop, max_amount) =>
    api(shop.of, "POST", "/api/account/keys", { body: { name: "A", max_amount } }),
  "CustomerTokenRequest.max_amount": (shop, max_amount) =>
    api(shop.of, "POST", "/api/auth/token", {
      body: { actor_type: "customer", profile_id: shop.profileId, max_amount },
    }),
  "SellingPlanCreate.shipping_amount": (shop, shipping_amount) =>
    api(shop.of, "POST", plans, {
      body: { id: "a", name: "A", billing_interval: "DAY", billing_interval_count: 1, shipping_amount },
    }),
  "SellingPlanUpdate.shipping_amount": (shop, shipping_amount) =>
    api(shop.of, "PUT", `${plans}/${shop.plan}`, { body: { shipping_amount } }),
  "SellingPlanCreate.discount_value": (shop, discount_value) =>
    api(shop.of, "POST", plans, {
      body: {
        ...{ id: "b", name: "B", billing_interval: "DAY", billing_interval_count: 1 },
        ...{ discount_type: "FIXED_AMOUNT", discount_value },
      },
    }),
  "SellingPlanUpdate.discount_value": (shop, discount_value) =>
    api(shop.of, "PUT", `${plans}/${shop.plan}`, { body: { discount_type: "FIXED_AMOUNT", discount_value } }),
  "SubscriptionLineCreate.price": (shop, price) =>
    api(shop.of, "POST", "/api/subscriptions", {
      query: dry,
      body: subscription(shop, [itemOf(shop.plan, { price })]),
    }),
  "SelectionItem.price": (shop, price) =>
    api(shop.of, "POST", "/api/subscriptions", {
      query: dry,
      body: subscription(shop, [itemOf(shop.plan, { selection_items: [selected(price)] })]),
    }),
  "SubscriptionLineAdd.price": async (shop, price) =>
    api(shop.of, "POST", `/api/subscriptions/${await subscribe(shop)}/lines`, {
      query: dry,
      body: itemOf(shop.plan, { price }),
    }),
  "SubscriptionLineUpdate.price": async (shop, price) => {
    const id = await subscribe(shop);
    const { body } = await api(shop.of, "GET", `/api/subscriptions/${id}`);
    const path = `/api/subscriptions/${id}/lines/${body.data.lines[0].id}`;
    return api(shop.of, "PUT", path, { query: dry, body: { price } });
  },
  "CatalogueItemIn.price": (shop, price) =>
    api(shop.of, "PUT", "/api/account/portal/catalogue", {
      query: dry,
      body: {
        items: [{ store_product_id: "1", store_variant_id: "1", product_title: "Treats", price }],
      },
    }),
  "AmountDiscountOfferTerms.value": (shop, value) =>
    offerDiscount(shop, { value, value_type: "FIXED_AMOUNT" }),
  "AmountDiscountOfferTerms.max_amount": (shop, max_amount) =>
    offerDiscount(shop, { value: 1, value_type: "FIXED_AMOUNT", max_amount }),
  "PercentageDiscountOfferTerms.max_amount": (shop, max_amount) =>
    offerDiscount(shop, { value: 10, value_type: "PERCENTAGE", max_amount }),
  "SwapOfferTarget.price": (shop, price) => {
    const to = { store_product_id: "1", store_variant_id: "2", product_title: "Treats", price };
    const offers = [{ kind: "SWAP", label: { en: "A" }, terms: { from_variant_id: "1", to } }];
    return api(shop.of, "PUT", "/api/account/cancellation-flow", { query: dry, body: { offers } });
  },
  "SubscriptionDiscountCreate.value": async (shop, value) =>
    api(shop.of, "POST", `/api/subscriptions/${await subscribe(shop)}/discounts`, {
      query: dry,
      body: { title: "A", value, value_type: "FIXED_AMOUNT", target_type: "ORDER" },
    }),
  "SubscriptionDiscountCreate.max_amount": async (shop, max_amount) =>
    api(shop.of, "POST", `/api/subscriptions/${await subscribe(shop)}/discounts`, {
      query: dry,
      body: { title: "A", value: 10, value_type: "PERCENTAGE", max_amount, target_type: "ORDER" },
    }),
  "RefundRequest.amount": async (shop, amount) => {
    const paid = attemptOf(shop.of, await subscribe(shop), 7, { store_reference: "sandbox-charge-1" });
    const order = orderOf(shop.of, { total: 1_000_000, billing_attempt_id: paid.id ?? null });
    await put("billing_attempts", [paid]);
    await put("orders", [order]);
    return api(shop.admin, "POST", `/api/subscriptions/orders/${order.id}/refunds`, { body: { amount } });
  },
};

function offerDiscount(shop: Shop, terms: object) {
  const offers = [{ kind: "DISCOUNT", label: { en: "A" }, terms: { ...terms, cycles: 1 } }];
  return api<Json>(shop.of, "PUT", "/api/account/cancellation-flow", { query: dry, body: { offers } });
}

describe("an amount has at most the decimals that its currency has, wherever a request names one", () => {
  test("these are all amounts of requests", () => {
    const inRequests = Object.entries(schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties as Record<string, Schema>)
        .filter(([, { type, maximum }]) => [type].flat().includes("number") && maximum === 1_000_000_000)
        .map(([field]) => `${name}.${field}`),
    );
    expect(inRequests.sort()).toEqual([...Object.keys(amounts), "BillingAttemptWasCharged.amount"].sort());
  });

  describe.each(["JPY", "USD", "KWD", "CLF"])("%s", (currency) => {
    const decimals = exponentOf(currency);
    const good = Number((7 + 7 / 10 ** decimals).toFixed(decimals));
    const bad = Number(`7.${"0".repeat(decimals)}1`);
    test.each(Object.entries(amounts))("%s", async (field, request) => {
      const shop = await openShop({ currency });
      expect((await request(shop, good)).status, `${good}`).toBeLessThan(300);
      const { status, body } = await request(shop, bad);
      expect([status, body.errorCode], `${bad}`).toEqual([400, "VALIDATION_FAILED"]);
      const [{ path, message }] = body.details;
      expect(path.endsWith(field.split(".").at(-1))).toBe(true);
      const most = decimals === 0 ? "without" : `with at most ${decimals}`;
      expect(message).toBe(`must be an amount of ${currency}, ${most} decimals`);
    });
  });

  test("the largest amount is what the document says, and less in a currency with four decimals", async () => {
    const request = amounts["SellingPlanUpdate.shipping_amount"]!;
    for (const [currency, most] of [
      ["USD", 1_000_000_000],
      ["CLF", 100_000_000],
    ] as const) {
      const shop = await openShop({ currency });
      expect((await request(shop, most)).status).toBe(200);
      expect((await request(shop, most + 1)).body.details[0].message).toMatch(
        new RegExp(`^must be at most ${most}( CLF)?$`),
      );
    }
  });
});
