import { minorOf } from "../../base/amounts.ts";
import { type ErrorDetail, invalid } from "../../base/errors.ts";
import { intervalFault, timesWithin } from "../../base/lib/time/intervals.ts";
import type { SellingPlan } from "./tables.ts";

/** A percentage as basis points, an amount as minor units. Throws VALIDATION_FAILED at `path`. */
export function parseReduction(
  type: "PERCENTAGE" | "FIXED_AMOUNT",
  value: number,
  currency: string,
  path: string,
): number {
  if (type === "FIXED_AMOUNT") return minorOf(value, currency, path);
  const basisPoints = Math.round(value * 100);
  if (value <= 100 && basisPoints / 100 === value) return basisPoints;
  throw invalid([{ path, message: "must be a percentage from 0 to 100, with at most 2 decimals" }]);
}

/** The products that a plan is offered for; null where the store alone decides that. */
export function productIdsOf({ product_ids }: Pick<SellingPlan, "product_ids">): string[] | null {
  return product_ids === null ? null : JSON.parse(product_ids);
}

type Terms = Omit<
  SellingPlan,
  | "id"
  | "account_seq"
  | "created_at"
  | "updated_at"
  | "store_group_id"
  | "product_ids"
  | "store_plan_id"
  | "store_sync_error"
>;

/** Checks the rules that involve several terms of a plan. Throws VALIDATION_FAILED. */
export function requireValidTerms(plan: Terms): void {
  const faults: ErrorDetail[] = [];
  const billing = { unit: plan.billing_interval, count: plan.billing_interval_count };
  const delivery = { unit: plan.delivery_interval, count: plan.delivery_interval_count };
  for (const [path, { unit, count }] of Object.entries({ billing, delivery })) {
    const message = intervalFault(unit, count);
    if (message) faults.push({ path: `${path}_interval_count`, message });
  }
  if (timesWithin(billing, delivery) === undefined)
    faults.push({ path: "billing_interval", message: "must be a whole multiple of the delivery interval" });
  if ((plan.discount_type === null) !== (plan.discount_value === null))
    faults.push({ path: "discount_value", message: "must be set together with discount_type" });
  if (plan.min_cycles !== null && plan.max_cycles !== null && plan.min_cycles > plan.max_cycles)
    faults.push({ path: "min_cycles", message: "must not be above max_cycles" });
  if (faults.length > 0) throw invalid(faults);
}
