import { z } from "zod";
import { intervalUnits } from "../../../base/lib/time/intervals.ts";
import { numberIn } from "../../global-ids.ts";
import type { StoreSellingPlan } from "../../port.ts";
import { minorOf, moneySchema } from "../responses.ts";

/** Undefined for a plan that does not recur, such as a pre-order or try-before-you-buy. */
export function planOf({
  id,
  name,
  billingPolicy,
  deliveryPolicy,
  pricingPolicies,
}: Plan): ReadPlan | undefined {
  if (!("interval" in billingPolicy)) return undefined;
  const billing = { unit: billingPolicy.interval, count: billingPolicy.intervalCount };
  const delivery =
    "interval" in deliveryPolicy
      ? { unit: deliveryPolicy.interval, count: deliveryPolicy.intervalCount }
      : billing;
  const discounts = pricingPolicies.map(discountOf);
  const plan: StoreSellingPlan = {
    id: String(numberIn(id)),
    name,
    billing,
    delivery,
    discount: discounts.find((discount) => discount !== null) ?? null,
    min_cycles: billingPolicy.minCycles || null,
    max_cycles: billingPolicy.maxCycles || null,
  };
  const isPricedOtherwise = discounts.length > 1 || discounts.includes(null);
  return { plan, isPricedOtherwise };
}

const interval = { interval: z.enum(intervalUnits), intervalCount: z.int() };

const other = z.object({ __typename: z.string() });

const fixedPricing = z.object({
  __typename: z.literal("SellingPlanFixedPricingPolicy"),
  adjustmentType: z.string(),
  adjustmentValue: z.union([
    z.object({ __typename: z.literal("MoneyV2"), ...moneySchema.shape }),
    z.object({ __typename: z.literal("SellingPlanPricingPolicyPercentageValue"), percentage: z.number() }),
  ]),
});

/** A plan as the documents select it. */
export const planSchema = z.object({
  id: z.string(),
  name: z.string(),
  billingPolicy: z.union([
    z.object({
      __typename: z.literal("SellingPlanRecurringBillingPolicy"),
      ...interval,
      minCycles: z.int().nullable(),
      maxCycles: z.int().nullable(),
    }),
    z.object({ __typename: z.literal("SellingPlanFixedBillingPolicy") }),
  ]),
  deliveryPolicy: z.union([
    z.object({ __typename: z.literal("SellingPlanRecurringDeliveryPolicy"), ...interval }),
    z.object({ __typename: z.literal("SellingPlanFixedDeliveryPolicy") }),
  ]),
  pricingPolicies: z.array(z.union([fixedPricing, other])),
});
type Plan = z.output<typeof planSchema>;

const listedGroup = z.object({ id: z.string(), appId: z.string().nullable(), merchantCode: z.string() });
/** A group, and whose plan it is. */
export type ListedGroup = z.output<typeof listedGroup>;

/** A group of plans as the document selects it. */
export const groupSchema = z.object({
  sellingPlanGroup: listedGroup.extend({ sellingPlans: z.object({ nodes: z.array(planSchema) }) }).nullable(),
});
/** A page of groups. */
export const groupsSchema = z.object({
  sellingPlanGroups: z.object({
    nodes: z.array(listedGroup),
    pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
  }),
});

/** A percentage in basis points, or an amount in minor units off each unit. A plan with a fixed price has no discount. */
function discountOf(policy: Plan["pricingPolicies"][number]): StoreSellingPlan["discount"] {
  if (!("adjustmentType" in policy)) return null;
  const { adjustmentType: type, adjustmentValue: value } = policy;
  if (type === "PERCENTAGE" && "percentage" in value)
    return { type, value: Math.round(value.percentage * 100) };
  return type === "FIXED_AMOUNT" && "amount" in value ? { type, value: minorOf(value) } : null;
}

/** A plan, and whether Shopify's pricing has more than the one permanent discount that a plan can have here. */
type ReadPlan = { plan: StoreSellingPlan; isPricedOtherwise: boolean };
