import type { CatalogueItem } from "./tables.ts";

/** The plans whose lines an item is for; none where it is for all. */
export function planIdsOf({ selling_plan_ids }: Pick<CatalogueItem, "selling_plan_ids">): string[] {
  return JSON.parse(selling_plan_ids);
}

/**
 * Whether an item can be in orders of a plan, each of which pays for so many deliveries. A price that pays for several is one that the merchant
 * has set for that very plan: an item for all plans has none.
 */
export function isForPlan(
  item: Pick<CatalogueItem, "selling_plan_ids">,
  planId: string,
  deliveriesPaidFor: number,
): boolean {
  const plans = planIdsOf(item);
  return plans.length === 0 ? deliveriesPaidFor === 1 : plans.includes(planId);
}
