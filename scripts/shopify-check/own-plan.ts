import { randomUUID } from "node:crypto";
import type { DesiredPlan } from "../../src/stores/port.ts";
import { shopifyPlans } from "../../src/stores/shopify/plans/own-plans.ts";
import type { Lab } from "./lab.ts";

/** The mutations by which a plan of the check is made and deleted. */
export const planWrites = {
  CreatePlanGroup: "a selling plan group «Perennial check» that no product is sold by; deleted at the end",
  DeletePlanGroup: "its deletion",
};

/** A selling plan group of the check's own, which goes at the end. */
export async function makePlan({ ask, shop, atEnd }: Lab) {
  const month = { unit: "MONTH", count: 1 } as const;
  const plan: DesiredPlan = {
    id: `check-${randomUUID()}`,
    name: "Perennial check",
    billing: month,
    delivery: month,
    discount: { type: "PERCENTAGE", value: 1000 },
    min_cycles: null,
    max_cycles: null,
    currency_code: shop.currencyCode,
    product_ids: [],
  };
  atEnd("the selling plan group «Perennial check»", () => shopifyPlans(ask).remove(plan.id, null));
  const { groupId, planId } = await shopifyPlans(ask).push(plan, null);
  return { plan, groupId, planId, groupGid: `gid://shopify/SellingPlanGroup/${groupId}` };
}
