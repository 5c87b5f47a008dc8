import { type CalendarDate, type Instant, later, startOfDay } from "../../../base/lib/time/dates.ts";
import { minuteMs } from "../../../base/lib/time/durations.ts";
import type { Ctx } from "../../../kit/context.ts";
import { projectUpcoming } from "../../billing/upcoming/upcoming.ts";
import type { Prospect, UpcomingDelivery } from "../../billing/upcoming/upcoming-steps.ts";
import { deliveriesOwed } from "../../subscriptions/dates/index.ts";

/** The next days of a subscription; null where nothing is to come. */
type NextDays = { delivery: CalendarDate | null; charge: CalendarDate | null };

/** The first of the coming deliveries that is charged, as billing itself projects it; undefined if none will be. */
export function nextChargeOf(prospect: Prospect): UpcomingDelivery | undefined {
  return untilCharge(prospect).find(({ isBilled }) => isBilled);
}

/** The next delivery, paid for or not, and the next charge, as `upcoming` lists them: what is owed is tried whatever the schedule. */
export function nextDatesOf(prospect: Prospect): NextDays {
  const coming = untilCharge(prospect);
  const charge = coming.find(({ isBilled }) => isBilled);
  return { delivery: coming[0]?.delivery ?? null, charge: charge?.billing ?? null };
}

/** The coming deliveries up to the first that is charged. */
function untilCharge(prospect: Prospect): UpcomingDelivery[] {
  return projectUpcoming(prospect, deliveriesOwed(prospect.view.row) + 1);
}

/** The last moment at which a change still counts for the charge of a day: charges begin with their day, by the account's clocks. */
export function lastMomentBefore({ account }: Ctx, day: CalendarDate): Instant {
  return later(startOfDay(day, account.timezone), -minuteMs);
}
