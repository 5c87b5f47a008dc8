import { type CalendarDate, type Instant, later, startOfDay } from "../../../base/lib/dates.ts";
import { minuteMs } from "../../../base/lib/durations.ts";
import type { Ctx } from "../../../kit/context.ts";
import { projectUpcoming } from "../../billing/upcoming.ts";
import type { Prospect } from "../../billing/upcoming-steps.ts";
import { deliveriesOwed } from "../../subscriptions/schedule.ts";

/** The first of the coming deliveries that is charged, as billing itself projects it; undefined if none will be. */
export function nextChargeOf(prospect: Prospect): ReturnType<typeof projectUpcoming>[number] | undefined {
  return projectUpcoming(prospect, deliveriesOwed(prospect.view.row) + 1).find(({ isBilled }) => isBilled);
}

/** The last moment at which a change still counts for the charge of a day: charges begin with their day, by the account's clocks. */
export function lastMomentBefore({ account }: Ctx, day: CalendarDate): Instant {
  return later(startOfDay(day, account.timezone), -minuteMs);
}
