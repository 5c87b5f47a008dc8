import {
  type Interval,
  intervalFault,
  intervalUnits,
  timesWithin,
} from "../../../base/lib/time/intervals.ts";
import type { SellingPlan } from "../../selling-plans/tables.ts";
import type { ImportField } from "../fields.ts";
import type { SubscriptionReader } from "./surroundings.ts";

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

export function cyclesIn(reader: SubscriptionReader) {
  const billed = reader.integer("cycles_billed", 0, 1_000_000) ?? 0;
  const min_cycles = reader.integer("min_cycles", 1, 10_000) ?? null;
  const max_cycles = reader.integer("max_cycles", 1, 10_000) ?? null;
  if (min_cycles !== null && max_cycles !== null && min_cycles > max_cycles)
    reader.refuse("min_cycles", "must not be above max_cycles");
  const ends_after_cycle = reader.integer("ends_after_cycle", 1, 10_000) ?? null;
  if (ends_after_cycle !== null && ends_after_cycle <= billed)
    reader.refuse("ends_after_cycle", "must be above cycles_billed");
  return { current_billing_cycle: billed + 1, min_cycles, max_cycles, ends_after_cycle };
}
