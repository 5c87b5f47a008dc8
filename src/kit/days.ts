import { invalid } from "../base/errors.ts";
import { addMonths, toDate, toDay } from "../base/lib/time/calendar.ts";
import { type CalendarDate, dateIn, parseDate } from "../base/lib/time/dates.ts";
import type { Ctx } from "./context.ts";

/** Both ends are among the days. */
export type DayRange = { from: CalendarDate; to: CalendarDate };

/**
 * The days of a request. Throws VALIDATION_FAILED for days that are too far ahead, for more of them than one answer is about, and for days in
 * the wrong order.
 */
export function daysFrom(ctx: Ctx, asked: { from: string; to: string }, daysMax: number): DayRange {
  const dateOf = (text: string): CalendarDate => parseDate(text, ctx.account.timezone) ?? text;
  const [from, to] = [dateOf(asked.from), dateOf(asked.to)];
  requireNotTooFar(todayOf(ctx), from, "from");
  requireNotTooFar(todayOf(ctx), to, "to");
  if (to < from) throw invalid([{ path: "to", message: "must not be before from" }]);
  const last = toDate(toDay(from) + daysMax - 1);
  if (to > last)
    throw invalid([{ path: "to", message: `must be ${last} or earlier: at most ${daysMax} days` }]);
  return { from, to };
}

/** Today's clock, and the zone that says which day it is. */
type Clock = Pick<Ctx, "now"> & { account: Pick<Ctx["account"], "timezone"> };

/** Today in the account's time zone, by the account's clock. */
export function todayOf({ now, account }: Clock): CalendarDate {
  return dateIn(now, account.timezone);
}

/** A request's date in the account's time zone, `earliest` or later. Throws VALIDATION_FAILED. */
export function dateFrom(
  clock: Clock,
  text: string,
  earliest: CalendarDate,
  path = "next_delivery_date",
): CalendarDate {
  return requireFrom(parseDate(text, clock.account.timezone), { today: todayOf(clock), earliest }, path);
}

/** Throws VALIDATION_FAILED for what is no date, is before `earliest`, or too far ahead. */
export function requireFrom(
  date: CalendarDate | undefined,
  { today, earliest = today }: { today: CalendarDate; earliest?: CalendarDate },
  path: string,
): CalendarDate {
  if (date === undefined || date < earliest) {
    const message = earliest === today ? "must not be in the past" : `must be from ${earliest} on`;
    throw invalid([{ path, message }]);
  }
  requireNotTooFar(today, date, path);
  return date;
}

/** The last day that a date of a request may name: the one ten years from today. */
export function furthestDate(today: CalendarDate): CalendarDate {
  return toDate(addMonths(toDay(today), 12 * yearsAheadMax));
}

/** Throws VALIDATION_FAILED for a date that lies too far ahead, naming the last possible. */
export function requireNotTooFar(today: CalendarDate, date: CalendarDate, path: string): void {
  const message = tooFarFault(date, furthestDate(today));
  if (message) throw invalid([{ path, message }]);
}

/** The fault of a date after the furthest; undefined for any other. Dates after the year 9999 have a sign before them. */
export function tooFarFault(date: CalendarDate, furthest: CalendarDate): string | undefined {
  if (date <= furthest && !date.startsWith("+")) return undefined;
  return `must be ${furthest} or earlier: no date lies more than ${yearsAheadMax} years ahead`;
}

const yearsAheadMax = 10;
