import type { CalendarDate } from "../../../base/lib/time/dates.ts";
import { timesWithin } from "../../../base/lib/time/intervals.ts";
import type { SlotWithDay } from "../../delivery/queries.ts";
import { isBeyondLastCycle, isOver } from "../lifecycle.ts";
import type { Subscription } from "../tables.ts";
import { anchorFrom } from "./anchor.ts";
import { calculateDates, deliveryOf, lastUntil } from "./cadence.ts";
import type { Calendar } from "./calendar.ts";
import { columnsOf, deliveriesOwed, type NextDates, scheduleOf, unmoved } from "./next-dates.ts";
import { moveToOpenDays } from "./open-days/open-dates.ts";

/** The number of deliveries one billing pays for: 1, or more for prepaid plans. */
export function deliveriesPerBilling(
  plan: Pick<
    Subscription,
    "billing_interval" | "billing_interval_count" | "delivery_interval" | "delivery_interval_count"
  >,
): number {
  return (
    timesWithin(
      { unit: plan.billing_interval, count: plan.billing_interval_count },
      { unit: plan.delivery_interval, count: plan.delivery_interval_count },
    ) ?? 1
  );
}

/** Dates after the year 9999 start with a sign, so they do not compare as text. */
export function isWithinCalendar(date: CalendarDate): boolean {
  return !date.startsWith("+");
}

/** A schedule that starts with this delivery, as it is before closed days. None of its dates is before `earliest`. */
export function startSchedule(
  delivery: CalendarDate,
  slot: SlotWithDay | undefined,
  earliest: CalendarDate,
): NextDates {
  return {
    anchor_date: delivery,
    anchor_day: null,
    next_index: 0,
    next_billed_index: 0,
    ...columnsOf(calculateDates(delivery, slot?.day, earliest)),
    ...unmoved,
  };
}

/**
 * The date on which the schedule bills the first unpaid delivery, which comes after those that are paid for, wherever closed days have left
 * these. There is none after the last cycle, or once the subscription has ended, though deliveries that are paid for may still be made.
 */
export function nextBillingDate(
  row: Subscription,
  slot: SlotWithDay | undefined,
  earliest: CalendarDate,
): CalendarDate | null {
  if (isBeyondLastCycle(row) || isOver(row)) return null;
  const schedule = scheduleOf(row, slot);
  const { next_index, next_delivery_date } = row;
  const next = next_delivery_date === null ? next_index : lastUntil(schedule, next_delivery_date, next_index);
  const billed = deliveryOf(schedule, next + deliveriesOwed(row));
  return calculateDates(billed, schedule.rhythm, earliest).billing;
}

/** The dates of a subscription whose next delivery is on this day in its slot, or in none: packed and charged accordingly. */
export function datesInSlot(row: Subscription, delivery: CalendarDate, calendar: Calendar): NextDates {
  const { slot, today } = calendar;
  const { production, billing } = calculateDates(delivery, slot?.day, today);
  const next_billing_date = deliveriesOwed(row) === 0 ? billing : nextBillingDate(row, slot, today);
  return moveToOpenDays({ ...row, next_production_date: production, next_billing_date }, calendar, today);
}

/**
 * A schedule that is counted from this delivery on, by new intervals if there are any. Owed deliveries are still made before the next
 * billing.
 */
export function continueSchedule(
  row: Subscription,
  delivery: CalendarDate,
  calendar: Calendar,
  earliest: CalendarDate,
  intervals: Partial<Subscription> = {},
): NextDates {
  return scheduleAt(
    { ...row, ...intervals, ...anchorFrom(row, delivery, calendar.slot, intervals) },
    calendar,
    { index: 0, owed: deliveriesOwed(row) },
    earliest,
  );
}

/** The dates of a schedule whose next delivery is the n-th. Owed deliveries come first, then the next is billed. */
export function scheduleAt(
  row: Subscription,
  calendar: Calendar,
  { index, owed }: { index: number; owed: number },
  earliest: CalendarDate,
): NextDates {
  const schedule = scheduleOf(row, calendar.slot);
  const planned = {
    ...row,
    next_index: index,
    next_billed_index: index + owed,
    ...columnsOf(calculateDates(deliveryOf(schedule, index), schedule.rhythm, earliest)),
    ...unmoved,
  };
  const next_billing_date = nextBillingDate(planned, calendar.slot, earliest);
  return moveToOpenDays({ ...planned, next_billing_date }, calendar, earliest);
}
