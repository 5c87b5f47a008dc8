import type { DesiredPlan } from "../../port.ts";
import { decimal } from "../contracts/contract-input.ts";

/** Groups with the same name and options are shown as one, so all plans of a product are one choice. */
export const groupInput = { name: "Subscription", options: ["Delivery"] };

/** SellingPlanInput. Shopify has no price of delivery in a plan. */
export function planInput({
  name,
  billing,
  delivery,
  discount,
  min_cycles,
  max_cycles,
  currency_code,
}: DesiredPlan) {
  return {
    name,
    options: [name],
    category: "SUBSCRIPTION",
    billingPolicy: { recurring: { ...policyOf(billing), minCycles: min_cycles, maxCycles: max_cycles } },
    deliveryPolicy: { recurring: policyOf(delivery) },
    pricingPolicies: discount ? [{ fixed: pricingOf(discount, currency_code) }] : [],
  };
}

function policyOf({ unit, count }: DesiredPlan["billing"]) {
  return { interval: unit, intervalCount: count };
}

function pricingOf({ type, value }: NonNullable<DesiredPlan["discount"]>, currency: string) {
  const adjustmentValue =
    type === "PERCENTAGE" ? { percentage: value / 100 } : { fixedValue: decimal(value, currency) };
  return { adjustmentType: type, adjustmentValue };
}
