import type { CalendarDate } from "../../../base/lib/time/dates.ts";
import type { Subscription } from "../tables.ts";
import { anchorFrom, isOfMonths } from "./anchor.ts";
import { calculateDates, deliveryOf } from "./cadence.ts";
import type { Calendar } from "./calendar.ts";
import { deliveriesOwed, type NextDates, scheduleOf, unmoved } from "./next-dates.ts";
import { continueSchedule, datesInSlot } from "./schedule.ts";
import { dayOfSingleMove, ownDay } from "./single-move.ts";

/**
 * The dates after a change of the intervals. The next dates stay, later ones follow, and owed deliveries stay owed. Those that follow a delivery
 * that was moved alone are counted from its own day.
 */
export function reanchorSchedule(
  { row, intervals }: { row: Subscription; intervals: Partial<Subscription> },
  calendar: Calendar,
): Partial<NextDates> {
  if (row.next_delivery_date === null) return {};
  const planned = plannedDelivery(row, row.next_delivery_date, calendar);
  const own = ownDayToKeep({ ...row, next_delivery_date: planned, ...unmoved }, intervals, calendar);
  const dates = own
    ? datesInSlot(countedFrom(row, { own, planned, intervals }, calendar), planned, calendar)
    : continueSchedule(row, planned, calendar, calendar.today, intervals);
  const owed = deliveriesOwed(row);
  // The dates stay where closed days have moved them, and can be put back.
  const isMoved = row.scheduled_delivery_date !== null && !isAsPlanned(row, planned, calendar);
  const hasMovedBilling = owed > 0 && dates.scheduled_delivery_date !== null;
  return {
    anchor_date: dates.anchor_date,
    anchor_day: dates.anchor_day,
    next_index: 0,
    next_billed_index: owed,
    ...(isMoved || hasMovedBilling ? { scheduled_index: 0, scheduled_delivery_date: planned } : unmoved),
    ...(owed === 0 ? {} : { next_billing_date: dates.next_billing_date }),
  };
}

/**
 * The own day of a delivery that was moved alone, from which later ones are still counted: always in months and years, whose day of the month it
 * keeps; in days and weeks where the delivery comes before the next one by the new interval.
 */
function ownDayToKeep(
  row: Subscription,
  intervals: Partial<Subscription>,
  { slot }: Calendar,
): CalendarDate | undefined {
  const moved = dayOfSingleMove(row, slot);
  const changed = { ...row, ...intervals };
  if (moved === undefined || isOfMonths(row) !== isOfMonths(changed)) return undefined;
  const own = ownDay(row, slot);
  const isKept = isOfMonths(row) || moved < deliveryOf(scheduleOf({ ...changed, anchor_date: own }, slot), 1);
  return isKept ? own : undefined;
}

function countedFrom(
  row: Subscription,
  { own, planned, intervals }: { own: CalendarDate; planned: CalendarDate; intervals: Partial<Subscription> },
  { slot }: Calendar,
): Subscription {
  return {
    ...row,
    ...intervals,
    ...anchorFrom(row, own, slot, intervals),
    next_index: 0,
    next_billed_index: deliveriesOwed(row),
    next_delivery_date: planned,
    ...unmoved,
  };
}

/** Whether the next dates are those of a delivery on this day, of which closed days have moved none. */
function isAsPlanned(row: Subscription, delivery: CalendarDate, { slot, today }: Calendar): boolean {
  const { production, billing } = calculateDates(delivery, slot?.day, today);
  const isBilled = deliveriesOwed(row) === 0 && row.next_billing_date !== null;
  return (
    row.next_delivery_date === delivery &&
    row.next_production_date === production &&
    (!isBilled || row.next_billing_date === billing)
  );
}

/** The day that the schedule gives the next delivery, which closed days may have moved. */
function plannedDelivery(row: Subscription, stored: CalendarDate, { slot }: Calendar): CalendarDate {
  if (!row.scheduled_delivery_date) return stored;
  if (row.scheduled_index === row.next_index) return row.scheduled_delivery_date;
  return deliveryOf(scheduleOf(row, slot), row.next_index);
}
