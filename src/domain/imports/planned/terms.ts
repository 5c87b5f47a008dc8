import { type Interval, intervalFault, intervalUnits, timesWithin } from "../../../base/lib/intervals.ts";
import { parseReduction } from "../../selling-plans/rules.ts";
import type { SellingPlan } from "../../selling-plans/tables.ts";
import type { Discount } from "../../subscriptions/amounts.ts";
import type { ImportField } from "../fields.ts";
import type { SubscriptionReader, Surroundings } from "./surroundings.ts";

export type Intervals = { billing: Interval; delivery: Interval; deliveries: number };

export function intervalsIn(
  reader: SubscriptionReader,
  plan: SellingPlan | undefined,
): Intervals | undefined {
  const unit = reader.oneOf("billing_interval", intervalUnits) ?? plan?.billing_interval;
  const isPlans = reader.values.billing_interval === undefined && plan !== undefined;
  const count =
    reader.integer("billing_interval_count", 1, 365) ?? (isPlans ? plan.billing_interval_count : 1);
  const ownUnit = reader.oneOf("delivery_interval", intervalUnits);
  const ownCount = reader.integer("delivery_interval_count", 1, 365);
  if (unit === undefined)
    return reader.values.billing_interval === undefined
      ? reader.refuse("billing_interval", "is required where no selling plan is named")
      : undefined;
  const billing: Interval = { unit, count };
  const delivery: Interval =
    ownUnit === undefined && ownCount === undefined && isPlans
      ? { unit: plan.delivery_interval, count: plan.delivery_interval_count }
      : { unit: ownUnit ?? unit, count: ownCount ?? (ownUnit === undefined ? count : 1) };
  for (const [name, interval] of Object.entries({ billing, delivery })) {
    const message = intervalFault(interval.unit, interval.count);
    if (message) return reader.refuse(`${name}_interval_count` as ImportField, message);
  }
  const deliveries = timesWithin(billing, delivery);
  if (deliveries === undefined)
    return reader.refuse("delivery_interval", "does not divide the billing interval into whole deliveries");
  return { billing, delivery, deliveries };
}

/** The first plan with these intervals, for lines that name none. */
export function planFor(intervals: Intervals | undefined, plans: SellingPlan[]): SellingPlan | undefined {
  return plans.find(
    (plan) =>
      plan.billing_interval === intervals?.billing.unit &&
      plan.billing_interval_count === intervals.billing.count &&
      plan.delivery_interval === intervals.delivery.unit &&
      plan.delivery_interval_count === intervals.delivery.count,
  );
}

export function discountIn(
  reader: SubscriptionReader,
  { account, now, newId }: Surroundings,
): Discount | undefined {
  const type = reader.oneOf("discount_type", ["PERCENTAGE", "FIXED_AMOUNT"]);
  const value = reader.number("discount_value");
  const left = reader.integer("discount_cycles_left", 0, 10_000);
  if (type === undefined && value === undefined) return undefined;
  if (type === undefined) {
    if (reader.values.discount_type === undefined)
      reader.refuse("discount_type", "is required with discount_value");
    return undefined;
  }
  if (value === undefined) {
    if (reader.values.discount_value === undefined)
      reader.refuse("discount_value", "is required with discount_type");
    return undefined;
  }
  const reduction = reader.attempt(() =>
    parseReduction(type, value, account.currency_code, "discount_value"),
  );
  if (reduction === undefined || reduction === 0 || left === 0) return undefined;
  const id = newId();
  return {
    id,
    status: "ACTIVE",
    discount_code: null,
    title: "Moved in",
    reduction: { type, value: reduction },
    store_discount_id: id,
    target_type: "ORDER",
    recurring_cycle_limit: left ?? null,
    cycles_used: 0,
    applied_at: now,
    exhausted_at: null,
    removed_at: null,
    created_at: now,
    updated_at: now,
  };
}

export function cyclesIn(reader: SubscriptionReader) {
  const billed = reader.integer("cycles_billed", 0, 1_000_000) ?? 0;
  const min_cycles = reader.integer("min_cycles", 1, 10_000) ?? null;
  const max_cycles = reader.integer("max_cycles", 1, 10_000) ?? null;
  if (min_cycles !== null && max_cycles !== null && min_cycles > max_cycles)
    reader.refuse("min_cycles", "must not be above max_cycles");
  return { current_billing_cycle: billed + 1, min_cycles, max_cycles };
}
