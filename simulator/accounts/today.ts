import { type CalendarDate, dateIn } from "../../src/base/lib/time/dates.ts";
import { instantOf, type World } from "../kernel/world.ts";

/** The day of an account now, or so many milliseconds before. */
export function todayOf({ account, clock }: World, before = 0): CalendarDate {
  return dateIn(instantOf({ clock: clock - before }), account.timezone);
}
