import { frequencyLabel } from "../../../base/lib/time/intervals.ts";
import type { SellingPlan } from "../../selling-plans/tables.ts";
import type { Intervals } from "./terms.ts";

/** A selling plan that rows need and the account does not have. */
export type MissingPlan = Pick<SellingPlan, "name" | IntervalColumn>;
type IntervalColumn =
  | "billing_interval"
  | "billing_interval_count"
  | "delivery_interval"
  | "delivery_interval_count";

/** The plan with these intervals, by a plain name: "Every month", "Every 3 months, delivered every month". */
export function planWith({ billing, delivery, deliveries }: Intervals): MissingPlan {
  const delivered = `delivered ${frequencyLabel(delivery).toLowerCase()}`;
  return {
    name: deliveries === 1 ? frequencyLabel(billing) : `${frequencyLabel(billing)}, ${delivered}`,
    billing_interval: billing.unit,
    billing_interval_count: billing.count,
    delivery_interval: delivery.unit,
    delivery_interval_count: delivery.count,
  };
}

/** The first plan with these intervals, for lines that name none. */
export function planFor(intervals: Intervals | undefined, plans: SellingPlan[]): SellingPlan | undefined {
  return intervals && plans.find((plan) => isPlanOf(planWith(intervals), plan));
}

export function isPlanOf(its: Omit<MissingPlan, "name">, plan: Omit<MissingPlan, "name">): boolean {
  return (
    plan.billing_interval === its.billing_interval &&
    plan.billing_interval_count === its.billing_interval_count &&
    plan.delivery_interval === its.delivery_interval &&
    plan.delivery_interval_count === its.delivery_interval_count
  );
}
