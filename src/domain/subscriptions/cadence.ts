import { addMonths, type Day, toDate, toDay, weekdayOf } from "../../base/lib/calendar.ts";
import type { CalendarDate } from "../../base/lib/dates.ts";
import type { Interval } from "../../base/lib/intervals.ts";
import type { DeliveryDay } from "../delivery/tables.ts";

/** The rhythm of a slot's delivery day. Days of the week are ISO 8601: 1 = Monday. */
export type DeliveryRhythm = Pick<
  DeliveryDay,
  "day_of_week" | "packing_day_of_week" | "billing_day_of_week" | "courier_lead_time_days"
>;

export type CycleDates = { delivery: CalendarDate; production: CalendarDate | null; billing: CalendarDate };

/** ISO 8601: 1 = Monday … 7 = Sunday. */
export function dayOfWeek(date: CalendarDate): number {
  return weekdayOf(toDay(date));
}

/** So many days later, or earlier. */
export function addDays(date: CalendarDate, days: number): CalendarDate {
  return toDate(toDay(date) + days);
}

/**
 * The n-th delivery, from 0: the anchor plus n intervals. Each is counted from the anchor, so that 31 January,
 * 28 February, 31 March do not drift. A slot moves it to the slot's next day of the week.
 */
export function nthDelivery(
  anchor: CalendarDate,
  interval: Interval,
  n: number,
  rhythm: DeliveryRhythm | undefined,
): CalendarDate {
  return toDate(nthDay(toDay(anchor), interval, n, rhythm));
}

/** The dates on which a delivery is to be packed and billed (docs/decisions.md#5-subscriptions-and-their-history). */
export function calculatePlannedDates(
  delivery: CalendarDate,
  rhythm: DeliveryRhythm | undefined,
): CycleDates {
  if (!rhythm) return { delivery, production: null, billing: delivery };
  const { production, billing } = planDays(toDay(delivery), rhythm);
  return { delivery, production: production === null ? null : toDate(production), billing: toDate(billing) };
}

/** The dates on which a delivery is packed and billed. In a slot, one that would be before today is today. */
export function calculateDates(
  delivery: CalendarDate,
  rhythm: DeliveryRhythm | undefined,
  today: CalendarDate,
): CycleDates {
  const planned = calculatePlannedDates(delivery, rhythm);
  if (!rhythm) return planned;
  const notBefore = (date: CalendarDate): CalendarDate => (date < today ? today : date);
  const { production, billing } = planned;
  return { delivery, production: production && notBefore(production), billing: notBefore(billing) };
}

/** The earliest delivery by the rhythm alone: today, or the slot's first day that leaves time for packing and the courier. */
export function earliestPlanned(rhythm: DeliveryRhythm | undefined, today: CalendarDate): CalendarDate {
  if (!rhythm) return today;
  const from = toDay(today);
  let delivery = onOrAfter(from + (rhythm.courier_lead_time_days ?? 0), rhythm.day_of_week);
  while ((planDays(delivery, rhythm).production ?? delivery) < from) delivery += weekDays;
  return toDate(delivery);
}

/** The first delivery from index `from` on that is billed on or after `earliest`, and its index. */
export function firstBilledFrom(
  { anchor, interval, rhythm }: Schedule,
  from: number,
  earliest: CalendarDate,
): { index: number; delivery: CalendarDate } {
  const [anchorDay, earliestDay] = [toDay(anchor), toDay(earliest)];
  for (let index = from; index < from + maxDeliveries; index++) {
    const delivery = nthDay(anchorDay, interval, index, rhythm);
    if (delivery >= earliestDay && planDays(delivery, rhythm).billing >= earliestDay)
      return { index, delivery: toDate(delivery) };
  }
  throw new Error("The schedule has no such delivery");
}

/** The index of the first delivery that is on a day or after it. */
export function indexFrom({ anchor, interval, rhythm }: Schedule, day: Day): number {
  const anchorDay = toDay(anchor);
  const onDay = (index: number) => nthDay(anchorDay, interval, index, rhythm);
  const surelyBefore = (index: number) => Math.floor((day - weekDays - onDay(index)) / longestStep(interval));
  let index = 0;
  for (let skipped = surelyBefore(index); skipped > 0; skipped = surelyBefore(index)) index += skipped;
  while (onDay(index) < day) index++;
  return index;
}

/**
 * The last delivery of the schedule up to the day on which the n-th stands: that one, or one of those that it has come after, as it stayed
 * where closed days had moved it.
 */
export function lastUntil({ anchor, interval, rhythm }: Schedule, day: CalendarDate, index: number): number {
  let last = index;
  if (nthDelivery(anchor, interval, index, rhythm) >= day) return last;
  while (nthDelivery(anchor, interval, last + 1, rhythm) <= day) last++;
  return last;
}

/** How many days or months a unit has. Months and years keep the day of the month, where the month has it. */
const units = { DAY: { days: 1 }, WEEK: { days: 7 }, MONTH: { months: 1 }, YEAR: { months: 12 } } as const;

/** A schedule: the date it is counted from, the interval, and the slot's rhythm. */
export type Schedule = { anchor: CalendarDate; interval: Interval; rhythm: DeliveryRhythm | undefined };

/** How many deliveries are searched at most: more than two centuries of daily ones. */
const maxDeliveries = 80_000;

/** The day of the n-th delivery. */
export function nthDay(
  anchor: Day,
  { unit, count }: Interval,
  n: number,
  rhythm: DeliveryRhythm | undefined,
): Day {
  const step = units[unit];
  const day = "days" in step ? anchor + n * count * step.days : addMonths(anchor, n * count * step.months);
  return rhythm ? onOrAfter(day, rhythm.day_of_week) : day;
}

/** The days on which a delivery is to be packed and billed. */
export function planDays(
  delivery: Day,
  rhythm: DeliveryRhythm | undefined,
): { production: Day | null; billing: Day } {
  if (!rhythm) return { production: null, billing: delivery };
  const { packing_day_of_week: packingDay, billing_day_of_week: billingDay } = rhythm;
  const latest = delivery - (rhythm.courier_lead_time_days ?? 0);
  const production = packingDay === null ? null : onOrBefore(latest, packingDay);
  const packed = production ?? delivery;
  return { production, billing: billingDay === null ? packed : onOrBefore(packed, billingDay) };
}

/** A slot moves a delivery by less than this. */
const weekDays = 7;

/** More days than an interval ever has. */
function longestStep({ unit, count }: Interval): number {
  const step = units[unit];
  return count * ("days" in step ? step.days : step.months * 31);
}

/** The last day up to this one that is this day of the week. */
function onOrBefore(day: Day, weekday: number): Day {
  return day - ((weekdayOf(day) - weekday + 7) % 7);
}

/** The first day from this one on that is this day of the week. */
function onOrAfter(day: Day, weekday: number): Day {
  return day + ((weekday - weekdayOf(day) + 7) % 7);
}
