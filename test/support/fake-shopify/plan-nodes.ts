import { moneyOf } from "./amounts.ts";
import { connection, type Page } from "./connection.ts";
import { checkedId } from "./ids.ts";
import type { Plan, PlanGroup, PlanPrice } from "./plans.ts";
import type { Policy } from "./records.ts";
import type { FakeStore } from "./store.ts";

export function planFields(store: FakeStore) {
  const groupNode = ({ id, plans, name, appId, merchantCode, products }: PlanGroup) => ({
    id,
    name,
    appId,
    merchantCode,
    products: (page: Page) =>
      connection(
        [...products].map((product) => ({ id: product })),
        page,
        (product) => product,
      ),
    sellingPlans: (page: Page) => connection(plans, page, (plan) => planNode(plan, store.settings.currency)),
  });
  return {
    sellingPlanGroup: ({ id }: { id: string }) => {
      const group = store.planGroups.get(checkedId("SellingPlanGroup", id));
      return group?.isOurs ? groupNode(group) : null;
    },
    sellingPlanGroups: ({ query, ...page }: Page & { query?: string | null }) => {
      if (query && query !== "app_id:ALL")
        throw new Error("The fake store cannot search selling plan groups");
      const ours = [...store.planGroups.values()].filter(({ isOurs }) => query || isOurs);
      return connection(ours, page, groupNode);
    },
  };
}

function billingNode(policy: Policy | null) {
  return policy
    ? {
        __typename: "SellingPlanRecurringBillingPolicy",
        interval: policy.interval,
        intervalCount: policy.intervalCount,
        minCycles: policy.minCycles ?? null,
        maxCycles: policy.maxCycles ?? null,
      }
    : { __typename: "SellingPlanFixedBillingPolicy", remainingBalanceChargeExactTime: null };
}

function deliveryNode(policy: Policy | null) {
  return policy
    ? {
        __typename: "SellingPlanRecurringDeliveryPolicy",
        interval: policy.interval,
        intervalCount: policy.intervalCount,
      }
    : { __typename: "SellingPlanFixedDeliveryPolicy", cutoff: null };
}

function priceNode(price: PlanPrice, currency: string) {
  const __typename = `SellingPlan${price.afterCycle ? "Recurring" : "Fixed"}PricingPolicy`;
  return "percentage" in price
    ? {
        __typename,
        adjustmentType: "PERCENTAGE",
        adjustmentValue: {
          __typename: "SellingPlanPricingPolicyPercentageValue",
          percentage: price.percentage,
        },
      }
    : {
        __typename,
        adjustmentType: "off" in price ? "FIXED_AMOUNT" : "PRICE",
        adjustmentValue: {
          __typename: "MoneyV2",
          ...moneyOf("off" in price ? price.off : price.price, currency),
        },
      };
}

function planNode({ id, name, category, billing, delivery, prices }: Plan, currency: string) {
  return {
    id,
    name,
    category,
    billingPolicy: billingNode(billing),
    deliveryPolicy: deliveryNode(delivery),
    pricingPolicies: prices.map((price) => priceNode(price, currency)),
  };
}
