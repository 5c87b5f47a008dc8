import { addDays } from "../../../base/lib/time/calendar.ts";
import type { Subscription } from "../tables.ts";
import type { Calendar } from "./calendar.ts";
import { deliveryFrom, nextAfter, orderedOn } from "./next-after.ts";
import { deliveriesOwed, type NextDates, nextDatesOf } from "./next-dates.ts";
import { datesBySchedule, moveToOpenDaysAsFollowed } from "./open-dates.ts";
import { datesInSlot } from "./schedule.ts";
import { keepBeforeNext } from "./single-move.ts";

/**
 * The dates once the next deliveries, so many of them, have fallen away. The anchor stays, and with it the day of the month. What is owed
 * stays owed: a paid period lasts as many deliveries longer.
 */
export function datesAfterSkipping(row: Subscription, calendar: Calendar, deliveries: number): NextDates {
  const owed = deliveriesOwed(row);
  let at = row;
  for (let n = 0; n < deliveries; n++) {
    const then = { ...calendar, today: orderedOn(at, calendar.today) };
    const delivery = deliveryFrom(at, then).delivery_date;
    at = { ...at, ...nextAfter(at, then, { delivery, owed, isOffSchedule: false }) };
  }
  return nextDatesOf(at);
}

/**
 * Moves the dates that the schedule gives by whole weeks, then from closed days. In a slot packing and charge are on the slot's days, also where
 * today was too late for these.
 */
export function datesWeeksLater(row: Subscription, calendar: Calendar, weeks: number): NextDates {
  const later = (date: string | null) => date && addDays(date, weeks * 7);
  const planned = datesBySchedule(row, calendar);
  const moved = keepBeforeNext(row, calendar.slot, {
    ...row,
    ...planned,
    anchor_date: addDays(planned.anchor_date, weeks * 7),
    anchor_day: null,
    next_delivery_date: later(planned.next_delivery_date),
    next_billing_date: later(planned.next_billing_date),
    next_production_date: later(planned.next_production_date),
  });
  const { next_delivery_date } = moved;
  if (calendar.slot && next_delivery_date !== null) return datesInSlot(moved, next_delivery_date, calendar);
  return moveToOpenDaysAsFollowed(moved, calendar);
}
