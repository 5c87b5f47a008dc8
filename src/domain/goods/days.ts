import { invalid } from "../../base/errors.ts";
import { type CalendarDate, parseDate } from "../../base/lib/dates.ts";
import type { Ctx } from "../../kit/context.ts";
import { addDays } from "../subscriptions/cadence.ts";
import { type Days, daysMax } from "./cells.ts";

/** The days of a request. Throws VALIDATION_FAILED for more days than one answer is about, and for days in the wrong order. */
export function daysFrom({ account }: Ctx, asked: { from: string; to: string }): Days {
  const dateOf = (text: string): CalendarDate => parseDate(text, account.timezone) ?? text;
  const [from, to] = [dateOf(asked.from), dateOf(asked.to)];
  if (to < from) throw invalid([{ path: "to", message: "must not be before from" }]);
  const last = addDays(from, daysMax - 1);
  if (to > last)
    throw invalid([{ path: "to", message: `must be ${last} or earlier: at most ${daysMax} days` }]);
  return { from, to };
}
