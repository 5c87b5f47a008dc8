/** An order of Shopify becomes an order here with its amounts, its status and its tracking. */
import { describe, expect, test } from "vitest";
import { UnknownOutcomeError } from "../port.ts";
import { orderOf, orderSchema } from "./orders.ts";
import { parseResponse } from "./responses.ts";

function money(amount: string, currencyCode = "EUR") {
  return { presentmentMoney: { amount, currencyCode } };
}

/** An order as Shopify answers it: 2 × 10.00 less 2.00, 4.90 for delivery. */
const answered = {
  id: "gid://shopify/Order/5001",
  name: "#1001",
  createdAt: "2026-11-21T09:00:00Z",
  cancelledAt: null,
  test: false,
  sourceName: "web",
  tags: [] as string[],
  displayFinancialStatus: "PAID" as string | null,
  displayFulfillmentStatus: "UNFULFILLED",
  returnStatus: "NO_RETURN",
  customer: { id: "gid://shopify/Customer/7" },
  subtotalPriceSet: money("18.0") as object | null,
  totalDiscountsSet: money("2.0") as object | null,
  totalPriceSet: money("22.9"),
  totalRefundedSet: money("0.0"),
  fulfillments: [] as object[],
  lineItems: { nodes: [{ contract: null, sellingPlan: null }] as object[] },
};
function read(changed: object = {}) {
  const { order } = parseResponse(orderSchema, { order: { ...answered, ...changed } });
  if (!order) throw new Error("no order");
  return orderOf(order);
}

test("an order, amounts in minor units, the subtotal as it was before discounts", () => {
  expect(read()).toEqual({
    store_order_id: "5001",
    store_order_number: "#1001",
    created_at: "2026-11-21T09:00:00.000Z",
    store_customer_id: "7",
    status: "PAID",
    fulfillment_status: "UNFULFILLED",
    return_status: null,
    order_type: "ONE_TIME",
    is_checkout_order: true,
    has_subscription: false,
    store_contract_ids: [],
    currency_code: "EUR",
    subtotal: 2000,
    discount_amount: 200,
    total: 2290,
    refunded_amount: 0,
    tracking_number: null,
    tracking_company: null,
    tracking_url: null,
  });
});

const cancelled = "2026-11-22T09:00:00Z";
test.each([
  ["PAID", null, "PAID"],
  ["PARTIALLY_REFUNDED", null, "PARTIALLY_REFUNDED"],
  ["REFUNDED", null, "REFUNDED"],
  ["PENDING", null, "PENDING"],
  ["AUTHORIZED", null, "PENDING"],
  ["PARTIALLY_PAID", null, "PENDING"],
  ["EXPIRED", null, "PENDING"],
  [null, null, "PENDING"],
  ["VOIDED", null, "CANCELLED"],
  ["VOIDED", cancelled, "CANCELLED"],
  ["REFUNDED", cancelled, "CANCELLED"],
  ["PAID", cancelled, "CANCELLED"],
])("paid %s, cancelled at %s: %s", (displayFinancialStatus, cancelledAt, status) => {
  expect(read({ displayFinancialStatus, cancelledAt }).status).toBe(status);
});

test.each([
  ["NO_RETURN", null],
  ["RETURN_REQUESTED", "RETURN_REQUESTED"],
  ["IN_PROGRESS", "IN_PROGRESS"],
  ["INSPECTION_COMPLETE", "INSPECTION_COMPLETE"],
  ["RETURN_FAILED", "RETURN_FAILED"],
  ["RETURNED", "RETURNED"],
])("a return that is %s at Shopify is %s here", (returnStatus, return_status) => {
  expect(read({ returnStatus }).return_status).toBe(return_status);
});

function parcel(status: string, url: string | null = null, number = "T1") {
  return {
    status,
    trackingInfo: [{ company: "DHL", number, url }],
  };
}

test.each([
  ["UNFULFILLED", [], "UNFULFILLED"],
  ["FULFILLED", ["SUCCESS"], "FULFILLED"],
  ["PARTIALLY_FULFILLED", ["SUCCESS"], "PARTIALLY_FULFILLED"],
  ["IN_PROGRESS", [], "UNFULFILLED"],
  ["IN_PROGRESS", ["CANCELLED"], "UNFULFILLED"],
  ["IN_PROGRESS", ["SUCCESS", "CANCELLED"], "PARTIALLY_FULFILLED"],
  ["ON_HOLD", ["SUCCESS"], "PARTIALLY_FULFILLED"],
  ["SCHEDULED", [], "UNFULFILLED"],
  ["RESTOCKED", ["SUCCESS"], "UNFULFILLED"],
  ["FULFILLMENT_NOT_REQUIRED", [], "UNFULFILLED"],
  ["SOMETHING_NEW", ["SUCCESS"], "UNFULFILLED"],
] as const)("fulfilment %s with parcels %j: %s", (displayFulfillmentStatus, parcels, status) => {
  const fulfillments = parcels.map((each) => parcel(each));
  expect(read({ displayFulfillmentStatus, fulfillments }).fulfillment_status).toBe(status);
});

describe("tracking", () => {
  const tracked = (...fulfillments: object[]) => {
    const { tracking_number, tracking_company, tracking_url } = read({ fulfillments });
    return [tracking_number, tracking_company, tracking_url];
  };

  test("of the latest fulfillment that is not cancelled", () => {
    const [first, second] = [parcel("SUCCESS", "https://dhl.test/1", "1"), parcel("SUCCESS", null, "2")];
    expect(tracked(first, second)).toEqual(["2", "DHL", null]);
    expect(tracked(first, { ...second, status: "CANCELLED" })).toEqual(["1", "DHL", "https://dhl.test/1"]);
    expect(tracked({ status: "SUCCESS", trackingInfo: [] })).toEqual([null, null, null]);
  });

  const long = (length: number) => `https://dhl.test/${"x".repeat(length - 17)}`;
  test.each([
    ["https://dhl.test/1?a=b", true],
    [long(2048), true],
    [long(2049), false],
    ["http://dhl.test/1", false],
    ["javascript:alert(1)", false],
    ["dhl.test/1", false],
    ["", false],
  ])("%s is a link: %s", (url, isLink) => {
    expect(tracked(parcel("SUCCESS", url))[2]).toBe(isLink ? url : null);
  });
});

function contract(number: number) {
  return {
    contract: { id: `gid://shopify/SubscriptionContract/${number}` },
    sellingPlan: { name: "Weekly" },
  };
}
test.each([
  [[{ contract: null, sellingPlan: null }], [], "ONE_TIME", []],
  [[{ contract: null, sellingPlan: null }], ["vip", "Upsell"], "UPSELL", []],
  [[{ contract: null, sellingPlan: null }], ["not an upsell"], "ONE_TIME", []],
  [[{ contract: null, sellingPlan: { name: "Weekly" } }], ["upsell"], "SUBSCRIPTION", []],
  [[contract(9), contract(9), contract(8)], [], "SUBSCRIPTION", [9, 8]],
  [[], [], "ONE_TIME", []],
])("lines %j, tags %j: %s", (nodes, tags, order_type, store_contract_ids) => {
  expect(read({ lineItems: { nodes }, tags })).toMatchObject({
    order_type,
    store_contract_ids,
    has_subscription: order_type === "SUBSCRIPTION",
  });
});

test.each([
  ["web", true],
  [null, true],
  ["subscription_contract", false],
  ["subscription_contract_checkout_one", false],
])("source %s: of the checkout %s", (sourceName, is_checkout_order) => {
  expect(read({ sourceName })).toMatchObject({ is_checkout_order });
});

test.each([
  ["22.9", "EUR", 2290],
  ["1500.0", "JPY", 1500],
  ["1.234", "KWD", 1234],
])("%s %s is %i minor units", (amount, currency, total) => {
  expect(read({ totalPriceSet: money(amount, currency) })).toMatchObject({ total, currency_code: currency });
});

test("without a subtotal and discounts at Shopify, the subtotal is the total", () => {
  expect(read({ subtotalPriceSet: null, totalDiscountsSet: null })).toMatchObject({
    subtotal: 2290,
    discount_amount: 0,
  });
});

test.each([
  { displayFinancialStatus: "SOMETHING_NEW" },
  { totalPriceSet: null },
  { totalPriceSet: money("many") },
  { totalPriceSet: money("22.905") },
  { createdAt: "yesterday" },
  { lineItems: { nodes: [{}] } },
  { id: 5001 },
])("an answer of an unexpected shape is refused: %j", (changed) => {
  expect(() => read(changed)).toThrow(UnknownOutcomeError);
});
