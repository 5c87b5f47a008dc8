import type { CalendarDate } from "../../base/lib/dates.ts";
import { calculateDates } from "../subscriptions/cadence.ts";
import type { SubscriptionView } from "../subscriptions/queries.ts";
import { earliestDelivery } from "../subscriptions/schedule.ts";
import { type PlannedDelivery, plannedDelivery, snapshotOf } from "./snapshot.ts";
import type { BillingAttempt } from "./tables.ts";

/** The delivery of a repeated try is that of the try before, also off the schedule, unless its day has passed. */
export function repeatedDelivery(
  { row, slot }: Pick<SubscriptionView, "row" | "slot">,
  before: BillingAttempt | undefined,
  today: CalendarDate,
): PlannedDelivery {
  if (!before || !snapshotOf(before).isOffSchedule) return plannedDelivery(row, slot, today);
  const { delivery_date, production_date, delivery_slot_id, isOffSchedule } = snapshotOf(before);
  if (delivery_date >= today) return { delivery_date, production_date, delivery_slot_id, isOffSchedule };
  const earliest = earliestDelivery(slot, today);
  const { production } = calculateDates(earliest, slot?.day, today);
  return {
    delivery_date: earliest,
    production_date: production,
    delivery_slot_id: row.delivery_slot_id,
    isOffSchedule,
  };
}
