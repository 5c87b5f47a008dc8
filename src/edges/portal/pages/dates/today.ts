import { type CalendarDate, dateIn } from "../../../../base/lib/time/dates.ts";
import type { Visit } from "../page-env.ts";

/** The shop's day. */
export function todayOf({ c, account }: Visit): CalendarDate {
  return dateIn(account.clock_at ?? c.get("now").toISOString(), account.timezone);
}
