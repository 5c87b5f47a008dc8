import type { SlotWithDay } from "../../delivery/queries.ts";
import type { Subscription } from "../tables.ts";
import type { CycleDates, Schedule } from "./cadence.ts";

/** The columns that hold a subscription's schedule and next dates. */
export type NextDates = Pick<
  Subscription,
  | "anchor_date"
  | "anchor_day"
  | "next_index"
  | "next_billed_index"
  | "next_billing_date"
  | "next_delivery_date"
  | "next_production_date"
  | "scheduled_index"
  | "scheduled_delivery_date"
>;

type Deliveries = Pick<
  Subscription,
  "anchor_date" | "anchor_day" | "delivery_interval" | "delivery_interval_count"
>;

export function scheduleOf(row: Deliveries, slot: SlotWithDay | undefined): Schedule {
  return {
    anchor: row.anchor_date,
    anchorDay: row.anchor_day,
    interval: { unit: row.delivery_interval, count: row.delivery_interval_count },
    rhythm: slot?.day,
  };
}

/** The number of deliveries that are paid for and not made yet. */
export function deliveriesOwed(row: Pick<Subscription, "next_index" | "next_billed_index">): number {
  return row.next_billed_index - row.next_index;
}

export function nextDatesOf(row: NextDates): NextDates {
  const { anchor_date, anchor_day, next_index, next_billed_index } = row;
  const { scheduled_index, scheduled_delivery_date } = row;
  const { next_billing_date, next_delivery_date, next_production_date } = row;
  return {
    anchor_date,
    anchor_day,
    next_index,
    next_billed_index,
    next_billing_date,
    next_delivery_date,
    next_production_date,
    scheduled_index,
    scheduled_delivery_date,
  };
}

export function columnsOf({ delivery, production, billing }: CycleDates) {
  return {
    next_delivery_date: delivery,
    next_production_date: production,
    next_billing_date: billing,
  };
}

/** The columns of dates that no closed day has moved. */
export const unmoved = { scheduled_index: null, scheduled_delivery_date: null };
