import { dayMs } from "../../src/base/lib/time/durations.ts";

export function plusDays(date: string, days: number): string {
  return dateOf(dayNumber(date) + days);
}

export function laterOf(one: string, other: string): string {
  return one < other ? other : one;
}

/** The first delivery of a slot that can be packed on a day or after it. */
export function firstPackedFrom(slot: SlotDay, date: string): string {
  for (let delivery = plusDays(date, slot.leadDays); ; delivery = plusDays(delivery, 1))
    if (weekdayOf(delivery) === slot.weekday && packedOn(slot, delivery) >= date) return delivery;
}

/** The n-th day of a grid, computed apart from the code under test. */
export function nthDay(grid: Grid, n: number): string {
  let day = withoutSlot(grid, n);
  while (grid.slot && weekdayOf(day) !== grid.slot.weekday) day = plusDays(day, 1);
  return day;
}

/** The first day of a grid after a date, from its n-th day on, and which it is. */
export function firstAfter(grid: Grid, date: string, from = 0): { n: number; day: string } {
  for (let n = from; ; n++) {
    const day = nthDay(grid, n);
    if (day > date) return { n, day };
  }
}

/** Days since 1970, of a calendar date. */
export function dayNumber(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / dayMs;
}

function dateOf(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

function plusMonths(date: string, months: number, number?: number | null): string {
  const [year, month, day] = date.split("-").map(Number) as [number, number, number];
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return dateOf(Date.UTC(year, month - 1 + months, Math.min(number ?? day, last)) / dayMs);
}

/** The day of the month of a grid that is counted from another of its days on; null for that day's own. */
export function keptDay({ anchor, anchorDay, unit }: Grid, from: string): number | null {
  const day = anchorDay ?? Number(anchor.slice(8));
  return /MONTH|YEAR/.test(unit) && plusMonths(from, 0, day) === from ? day : null;
}

/** 1 = Monday … 7 = Sunday. */
function weekdayOf(date: string): number {
  return ((dayNumber(date) + 3) % 7) + 1;
}

/** The days of a slot: when it is delivered, and when that is packed, so many days before. */
export type SlotDay = { weekday: number; packingWeekday: number | null; leadDays: number };

function packedOn({ packingWeekday, leadDays }: SlotDay, delivery: string): string {
  if (packingWeekday === null) return delivery;
  let day = plusDays(delivery, -leadDays);
  while (weekdayOf(day) !== packingWeekday) day = plusDays(day, -1);
  return day;
}

/**
 * Days that recur: an anchor plus whole intervals, each counted from the anchor, on its day of the month or on a given one; with a slot, the
 * slot's first day from then on.
 */
export type Grid = {
  anchor: string;
  anchorDay: number | null;
  unit: string;
  count: number;
  slot?: SlotDay | undefined;
};

function withoutSlot({ anchor, anchorDay, unit, count }: Grid, n: number): string {
  if (unit === "MONTH") return plusMonths(anchor, n * count, anchorDay);
  if (unit === "YEAR") return plusMonths(anchor, 12 * n * count, anchorDay);
  return plusDays(anchor, n * count * (unit === "WEEK" ? 7 : 1));
}
