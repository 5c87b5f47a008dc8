import { addDays, type CalendarDate } from "../../../base/lib/time/calendar.ts";
import type { Skip, Subscription } from "../tables.ts";
import type { Calendar } from "./calendar.ts";
import { deliveryFrom, nextAfter, orderedOn } from "./next-after.ts";
import { deliveriesOwed, type NextDates, nextDatesOf } from "./next-dates.ts";
import { datesBySchedule, datesToFollow, moveToOpenDaysAsFollowed } from "./open-days/open-dates.ts";
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

/** The dates as they were before a skip that is taken back, moved from days that were closed since. Packing and charge that should have been are today. */
export function datesBeforeSkip(row: Subscription, calendar: Calendar, skip: Skip): NextDates {
  const { today } = calendar;
  const notBeforeToday = (date: CalendarDate | null) => (date !== null && date < today ? today : date);
  const dates = {
    anchor_date: skip.previous_anchor_date,
    anchor_day: skip.previous_anchor_day,
    next_index: skip.previous_index,
    next_billed_index: skip.previous_index + deliveriesOwed(row),
    next_billing_date: notBeforeToday(skip.previous_billing_date),
    next_delivery_date: skip.previous_delivery_date,
    next_production_date: notBeforeToday(skip.previous_production_date),
    scheduled_index: skip.previous_scheduled_index,
    scheduled_delivery_date: skip.previous_scheduled_delivery_date,
  };
  return datesToFollow({ ...row, ...dates }, calendar) ?? dates;
}
