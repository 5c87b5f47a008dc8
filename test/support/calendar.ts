import fc from "fast-check";
import {
  type Interval,
  type IntervalUnit,
  intervalUnits,
  largestCount,
} from "../../src/base/lib/time/intervals.ts";
import type { DeliveryRhythm } from "../../src/domain/subscriptions/dates/index.ts";

export function dayOf(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / dayMs;
}

export function dateOf(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

export function isoWeekday(date: string): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay() || 7;
}

export function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** The anchor plus a number of units; a month that has no such day counts by its last day. */
export function addInterval(anchor: string, unit: IntervalUnit, count: number): string {
  if (unit === "DAY" || unit === "WEEK") return dateOf(dayOf(anchor) + count * (unit === "WEEK" ? 7 : 1));
  const [year, month, day] = anchor.split("-").map(Number) as [number, number, number];
  const months = year * 12 + month - 1 + count * (unit === "YEAR" ? 12 : 1);
  const [toYear, toMonth] = [Math.floor(months / 12), (months % 12) + 1];
  return dateOf(
    dayOf("1970-01-01") + Date.UTC(toYear, toMonth - 1, Math.min(day, daysInMonth(toYear, toMonth))) / dayMs,
  );
}

/** The days of a delivery slot. */
export function rhythm(
  day_of_week: number,
  packing_day_of_week: number | null,
  billing_day_of_week: number | null,
  courier_lead_time_days: number | null,
): DeliveryRhythm {
  return { day_of_week, packing_day_of_week, billing_day_of_week, courier_lead_time_days };
}

/** Calendar days as numbers. Date computes them, so that tests do not repeat the code under test. */
const dayMs = 86_400_000;

export const aDate = fc.integer({ min: dayOf("2020-01-01"), max: dayOf("2100-12-31") }).map(dateOf);
const weekday = fc.integer({ min: 1, max: 7 });
export const anInterval: fc.Arbitrary<Interval> = fc
  .constantFrom(...intervalUnits)
  .chain((unit) => fc.integer({ min: 1, max: largestCount[unit] }).map((count) => ({ unit, count })));
export const aRhythm: fc.Arbitrary<DeliveryRhythm> = fc.record({
  day_of_week: weekday,
  packing_day_of_week: fc.option(weekday),
  billing_day_of_week: fc.option(weekday),
  courier_lead_time_days: fc.option(fc.integer({ min: 0, max: 30 })),
});
/** No computed date lies before it. */
export const longAgo = "2000-01-01";
