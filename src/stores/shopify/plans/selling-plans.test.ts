/** A selling plan of Shopify becomes a plan here, and an answer of unexpected shape is refused. */
import { describe, expect, test } from "vitest";
import { UnknownOutcomeError } from "../../port.ts";
import { parseResponse } from "../responses.ts";
import { groupSchema, planOf } from "./selling-plans.ts";

function recurring(kind: "Billing" | "Delivery", interval = "MONTH", intervalCount = 1) {
  return {
    __typename: `SellingPlanRecurring${kind}Policy`,
    interval,
    intervalCount,
  };
}

function fixed(adjustmentType: string, adjustmentValue: object) {
  return {
    __typename: "SellingPlanFixedPricingPolicy",
    adjustmentType,
    adjustmentValue,
  };
}

function percentage(percentage: number) {
  return fixed("PERCENTAGE", { __typename: "SellingPlanPricingPolicyPercentageValue", percentage });
}

function amount(type: string, amount: string, currencyCode = "EUR") {
  return fixed(type, { __typename: "MoneyV2", amount, currencyCode });
}

const answered = {
  id: "gid://shopify/SellingPlan/4401",
  name: "Every month",
  category: "SUBSCRIPTION",
  billingPolicy: { ...recurring("Billing"), minCycles: null, maxCycles: null } as object,
  deliveryPolicy: recurring("Delivery") as object,
  pricingPolicies: [] as object[],
};
function read(changed: object = {}) {
  const nodes = [{ ...answered, ...changed }];
  const { sellingPlanGroup: group } = parseResponse(groupSchema, {
    sellingPlanGroup: {
      id: "gid://shopify/SellingPlanGroup/1",
      appId: null,
      merchantCode: "subscribe",
      sellingPlans: { nodes },
    },
  });
  return planOf(group!.sellingPlans.nodes[0]!);
}

test("a plan by its number, delivered as it is billed", () => {
  expect(read()).toEqual({
    isPricedOtherwise: false,
    plan: {
      id: "4401",
      name: "Every month",
      billing: { unit: "MONTH", count: 1 },
      delivery: { unit: "MONTH", count: 1 },
      discount: null,
      min_cycles: null,
      max_cycles: null,
    },
  });
});

test("prepaid: billed every 3 months, delivered monthly, 2 to 8 cycles", () => {
  const billingPolicy = { ...recurring("Billing", "MONTH", 3), minCycles: 2, maxCycles: 8 };
  expect(read({ billingPolicy })?.plan).toMatchObject({
    billing: { unit: "MONTH", count: 3 },
    delivery: { unit: "MONTH", count: 1 },
    min_cycles: 2,
    max_cycles: 8,
  });
});

test("a plan with fixed delivery is delivered as it is billed; a plan that is billed once is ignored", () => {
  const once = { __typename: "SellingPlanFixedDeliveryPolicy" };
  expect(read({ deliveryPolicy: once })?.plan.delivery).toEqual({ unit: "MONTH", count: 1 });
  expect(read({ billingPolicy: { __typename: "SellingPlanFixedBillingPolicy" } })).toBeUndefined();
});

const later = { __typename: "SellingPlanRecurringPricingPolicy" };
describe.each([
  ["no policy", [], null, false],
  ["10 %", [percentage(10)], { type: "PERCENTAGE", value: 1000 }, false],
  ["12.55 %", [percentage(12.55)], { type: "PERCENTAGE", value: 1255 }, false],
  ["1.50 off", [amount("FIXED_AMOUNT", "1.5")], { type: "FIXED_AMOUNT", value: 150 }, false],
  ["150 yen off", [amount("FIXED_AMOUNT", "150.0", "JPY")], { type: "FIXED_AMOUNT", value: 150 }, false],
  ["a price of its own", [amount("PRICE", "8.0")], null, true],
  ["10 % now, something else later", [percentage(10), later], { type: "PERCENTAGE", value: 1000 }, true],
  ["something else later", [later], null, true],
])("%s", (_what, pricingPolicies, discount, isPricedOtherwise) => {
  test(`is ${JSON.stringify(discount)}`, () => {
    const plan = read({ pricingPolicies });
    expect(plan).toMatchObject({ plan: { discount }, isPricedOtherwise });
  });
});

test.each([
  { billingPolicy: { ...recurring("Billing", "FORTNIGHT"), minCycles: null, maxCycles: null } },
  { billingPolicy: null },
  { name: null },
  { pricingPolicies: [amount("FIXED_AMOUNT", "some")] },
])("an answer of an unexpected shape is refused: %j", (changed) => {
  expect(() => read(changed)).toThrow(UnknownOutcomeError);
});
