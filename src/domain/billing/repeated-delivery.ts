import {
  type Calendar,
  deliveryFrom,
  earliestDelivery,
  isOpenOn,
  packingDate,
} from "../subscriptions/dates/index.ts";
import type { Subscription } from "../subscriptions/tables.ts";
import { type PlannedDelivery, plannedDelivery, snapshotOf } from "./snapshot.ts";
import type { BillingAttempt } from "./tables.ts";

/** The delivery of a repeated try is that of the try before, also off the schedule, unless its day has passed. */
export function repeatedDelivery(
  { row, calendar }: { row: Subscription; calendar: Calendar },
  before: BillingAttempt | undefined,
): PlannedDelivery {
  const { today } = calendar;
  if (!before || !snapshotOf(before).isOffSchedule) return plannedDelivery(row, calendar);
  const { delivery_date, production_date, delivery_slot_id, isOffSchedule } = snapshotOf(before);
  if (delivery_date >= today && isOpenOn(calendar, "delivery", delivery_date)) {
    const planned = { next_delivery_date: delivery_date, next_production_date: production_date };
    return { ...deliveryFrom(planned, calendar), delivery_slot_id, isOffSchedule };
  }
  const earliest = earliestDelivery(calendar, today);
  return {
    delivery_date: earliest,
    production_date: packingDate(calendar, earliest, today) ?? null,
    delivery_slot_id: row.delivery_slot_id,
    isOffSchedule,
  };
}
