import { addMonths, type Day, toDate, toDay, weekdayOf } from "../../../base/lib/time/calendar.ts";
import type { CalendarDate } from "../../../base/lib/time/dates.ts";
import type { Interval } from "../../../base/lib/time/intervals.ts";
import type { DeliveryDay } from "../../delivery/tables.ts";

/** The rhythm of a slot's delivery day. Days of the week are ISO 8601: 1 = Monday. */
export type DeliveryRhythm = Pick<
  DeliveryDay,
  "day_of_week" | "packing_day_of_week" | "billing_day_of_week" | "courier_lead_time_days"
>;

export type CycleDates = { delivery: CalendarDate; production: CalendarDate | null; billing: CalendarDate };

/**
 * The n-th delivery of a schedule, from 0: the anchor plus n intervals. Each is counted from the anchor, so that 31 January,
 * 28 February, 31 March do not drift. A slot moves it to the slot's next day of the week.
 */
export function deliveryOf(schedule: Schedule, n: number): CalendarDate {
  return toDate(nthDay(schedule, n));
}

/** The n-th delivery, from 0, of a schedule whose anchor has the day of the month that it keeps. */
export function nthDelivery(
  anchor: CalendarDate,
  interval: Interval,
  n: number,
  rhythm: DeliveryRhythm | undefined,
): CalendarDate {
  return deliveryOf({ anchor, interval, rhythm }, n);
}

/** The dates on which a delivery is to be packed and billed. */
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

/**
 * The last delivery of the schedule up to the day on which the n-th stands: that one, or one of those that it has come after, as it stayed
 * where closed days had moved it.
 */
export function lastUntil(schedule: Schedule, date: CalendarDate, index: number): number {
  const day = toDay(date);
  if (dayOfKind(schedule, "delivery", index) >= day) return index;
  return seekIndex(schedule, "delivery", { from: index + 1, day: day + 1 }) - 1;
}

/**
 * The first index from one on whose date of a kind is on a day or after it. Found by division, so that it takes as long for a day of the next
 * century as for tomorrow. Throws RangeError for an anchor that is no date, of which no day is ever reached.
 */
export function seekIndex(
  schedule: Schedule,
  kind: DateKind,
  { from, day }: { from: number; day: Day },
): number {
  const [step, anchor] = [longestStep(schedule.interval), toDay(schedule.anchor)];
  let index = from;
  for (;;) {
    const ahead = day - dayOfKind(schedule, kind, index, anchor);
    if (ahead <= 0) return index;
    if (Number.isNaN(ahead)) throw new RangeError("The schedule is counted from no date");
    index += Math.max(1, Math.floor((ahead - mostMoved) / step));
  }
}

/** The day of the n-th delivery, or the day on which it is packed or billed. Without a packing day it is packed on the day of the delivery. */
export function dayOfKind(schedule: Schedule, kind: DateKind, index: number, anchor?: Day): Day {
  const delivery = nthDay(schedule, index, anchor);
  if (kind === "delivery") return delivery;
  const { production, billing } = planDays(delivery, schedule.rhythm);
  return kind === "billing" ? billing : (production ?? delivery);
}

/** The number of days or months that a unit has. Months and years keep the day of the month, where the month has it. */
const units = { DAY: { days: 1 }, WEEK: { days: 7 }, MONTH: { months: 1 }, YEAR: { months: 12 } } as const;

/**
 * A schedule: the date it is counted from, the interval, and the slot's rhythm. One of months or years whose anchor is in a month that is
 * too short for its day, such as the 31st in February, has that day besides.
 */
export type Schedule = {
  anchor: CalendarDate;
  anchorDay?: number | null;
  interval: Interval;
  rhythm: DeliveryRhythm | undefined;
};

export type DateKind = keyof CycleDates;

/** The day of the n-th delivery; whoever asks for many reads the anchor's day once. */
function nthDay(schedule: Schedule, n: number, from = toDay(schedule.anchor)): Day {
  const { anchorDay, interval, rhythm } = schedule;
  const { unit, count } = interval;
  const step = units[unit];
  const day =
    "days" in step ? from + n * count * step.days : addMonths(from, n * count * step.months, anchorDay);
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

const weekDays = 7;

/** A slot moves two dates of a kind apart by fewer days than this: its days of delivery, packing and billing each by less than a week. */
const mostMoved = 3 * weekDays;

/** More days than an interval ever has. */
function longestStep({ unit, count }: Interval): number {
  const step = units[unit];
  return count * ("days" in step ? step.days : step.months * 31);
}

/** The first date from this one on that is this day of the week. */
export function firstWeekday(date: CalendarDate, weekday: number): CalendarDate {
  return toDate(onOrAfter(toDay(date), weekday));
}

/** The last day up to this one that is this day of the week. */
function onOrBefore(day: Day, weekday: number): Day {
  return day - ((weekdayOf(day) - weekday + 7) % 7);
}

/** The first day from this one on that is this day of the week. */
function onOrAfter(day: Day, weekday: number): Day {
  return day + ((weekday - weekdayOf(day) + 7) % 7);
}
