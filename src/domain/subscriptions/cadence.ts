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
  return ((new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7) + 1;
}

/** By UTC, whose days all have 24 hours. Every request about subscriptions needs this, and Temporal takes five times as long. */
export function addDays(date: CalendarDate, days: number): CalendarDate {
  const day = new Date(date);
  day.setUTCDate(day.getUTCDate() + days);
  return dateOf(day);
}

/**
 * The n-th delivery, from 0: the anchor plus n intervals. Each is counted from the anchor, so that 31 January,
 * 28 February, 31 March do not drift. A slot moves it to the slot's next day of the week.
 */
export function nthDelivery(
  anchor: CalendarDate,
  { unit, count }: Interval,
  n: number,
  rhythm: DeliveryRhythm | undefined,
): CalendarDate {
  const step = units[unit];
  const date =
    "days" in step ? addDays(anchor, n * count * step.days) : addMonths(anchor, n * count * step.months);
  return rhythm ? onOrAfter(date, rhythm.day_of_week) : date;
}

/** The dates on which a delivery is to be packed and billed (docs/decisions.md#5-subscriptions-and-their-history). */
export function calculatePlannedDates(
  delivery: CalendarDate,
  rhythm: DeliveryRhythm | undefined,
): CycleDates {
  if (!rhythm) return { delivery, production: null, billing: delivery };
  const latest = addDays(delivery, -(rhythm.courier_lead_time_days ?? 0));
  const production =
    rhythm.packing_day_of_week === null ? null : onOrBefore(latest, rhythm.packing_day_of_week);
  const packed = production ?? delivery;
  const billing =
    rhythm.billing_day_of_week === null ? packed : onOrBefore(packed, rhythm.billing_day_of_week);
  return { delivery, production, billing };
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

/** The first delivery from index `from` on that is billed on or after `earliest`, and its index. */
export function firstBilledFrom(
  { anchor, interval, rhythm }: Schedule,
  from: number,
  earliest: CalendarDate,
): { index: number; delivery: CalendarDate } {
  for (let index = from; index < from + maxDeliveries; index++) {
    const delivery = nthDelivery(anchor, interval, index, rhythm);
    if (delivery >= earliest && calculatePlannedDates(delivery, rhythm).billing >= earliest)
      return { index, delivery };
  }
  throw new Error("The schedule has no such delivery");
}

/** How many days or months a unit has. Months and years keep the day of the month, where the month has it. */
const units = { DAY: { days: 1 }, WEEK: { days: 7 }, MONTH: { months: 1 }, YEAR: { months: 12 } } as const;

/** A schedule: the date it is counted from, the interval, and the slot's rhythm. */
export type Schedule = { anchor: CalendarDate; interval: Interval; rhythm: DeliveryRhythm | undefined };

/** How many deliveries are searched at most: more than two centuries of daily ones. */
const maxDeliveries = 80_000;

/** The last day up to `date` that is this day of the week. */
function onOrBefore(date: CalendarDate, weekday: number): CalendarDate {
  return addDays(date, -((dayOfWeek(date) - weekday + 7) % 7));
}

/** The first day from `date` on that is this day of the week. */
function onOrAfter(date: CalendarDate, weekday: number): CalendarDate {
  return addDays(date, (weekday - dayOfWeek(date) + 7) % 7);
}

/** The date with the same day in a later month, or that month's last day. */
function addMonths(date: CalendarDate, months: number): CalendarDate {
  const day = new Date(date);
  const dayOfMonth = day.getUTCDate();
  day.setUTCMonth(day.getUTCMonth() + months);
  const isPastItsEnd = day.getUTCDate() !== dayOfMonth;
  if (isPastItsEnd) day.setUTCDate(0);
  return dateOf(day);
}

function dateOf(day: Date): CalendarDate {
  return day.toISOString().slice(0, -"T00:00:00.000Z".length);
}
