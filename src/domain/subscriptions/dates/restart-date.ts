import { laterOf } from "../../../base/lib/time/calendar.ts";
import type { CalendarDate } from "../../../base/lib/time/dates.ts";
import type { NewSubscription } from "../new-row.ts";
import type { Subscription } from "../tables.ts";
import { addDays } from "./cadence.ts";
import type { Calendar } from "./calendar.ts";
import { datesAfterPause } from "./schedule.ts";

/**
 * The day of the first charge once a pause has ended by itself, by which its customer is reminded (restart_billing_date). A payment that is owed is
 * tried on the day after. Null without such a pause, and while a charge is under way, after which the dates are others.
 */
export function restartDateOf(row: NewSubscription, calendar: Calendar): CalendarDate | null {
  if (row.status !== "PAUSED" || row.pause_until === null) return null;
  const today = laterOf(calendar.today, row.pause_until);
  if (row.dunning_episode_id !== null) return addDays(today, 1);
  return datesAfterPause(row as Subscription, { ...calendar, today }, today).next_billing_date ?? null;
}

/** The day on which a subscription is charged next, if nothing else happens. Null for none. */
export function chargeDateOf({
  status,
  next_billing_date,
  restart_billing_date,
}: Pick<Subscription, "status" | "next_billing_date" | "restart_billing_date">): CalendarDate | null {
  return status === "PAUSED" ? restart_billing_date : next_billing_date;
}
