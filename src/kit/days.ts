import { invalid } from "../base/errors.ts";
import { toDate, toDay } from "../base/lib/calendar.ts";
import { type CalendarDate, parseDate } from "../base/lib/dates.ts";
import type { Ctx } from "./context.ts";

/** Both ends are among the days. */
export type Days = { from: CalendarDate; to: CalendarDate };

/** The days of a request. Throws VALIDATION_FAILED for more days than one answer is about, and for days in the wrong order. */
export function daysFrom({ account }: Ctx, asked: { from: string; to: string }, daysMax: number): Days {
  const dateOf = (text: string): CalendarDate => parseDate(text, account.timezone) ?? text;
  const [from, to] = [dateOf(asked.from), dateOf(asked.to)];
  if (to < from) throw invalid([{ path: "to", message: "must not be before from" }]);
  const last = toDate(toDay(from) + daysMax - 1);
  if (to > last)
    throw invalid([{ path: "to", message: `must be ${last} or earlier: at most ${daysMax} days` }]);
  return { from, to };
}
