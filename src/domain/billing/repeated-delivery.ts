import type { CalendarDate } from "../../base/lib/time/dates.ts";
import type { Calendar } from "../subscriptions/dates/calendar.ts";
import { earliestDelivery, isOpenOn, packingDate } from "../subscriptions/dates/earliest-delivery.ts";
import { deliveryFrom } from "../subscriptions/dates/schedule.ts";
import type { Subscription } from "../subscriptions/tables.ts";
import { type PlannedDelivery, plannedDelivery, snapshotOf } from "./snapshot.ts";
import type { BillingAttempt } from "./tables.ts";

/** The delivery of a repeated try is that of the try before, also off the schedule, unless its day has passed. */
export function repeatedDelivery(
  { row, calendar }: { row: Subscription; calendar: Calendar },
  before: BillingAttempt | undefined,
  today: CalendarDate,
): PlannedDelivery {
  if (!before || !snapshotOf(before).isOffSchedule) return plannedDelivery(row, calendar, today);
  const { delivery_date, production_date, delivery_slot_id, isOffSchedule } = snapshotOf(before);
  if (delivery_date >= today && isOpenOn(calendar, "delivery", delivery_date)) {
    const planned = { next_delivery_date: delivery_date, next_production_date: production_date };
    return { ...deliveryFrom(planned, calendar, today), delivery_slot_id, isOffSchedule };
  }
  const earliest = earliestDelivery(calendar, today);
  return {
    delivery_date: earliest,
    production_date: packingDate(calendar, earliest, today) ?? null,
    delivery_slot_id: row.delivery_slot_id,
    isOffSchedule,
  };
}
