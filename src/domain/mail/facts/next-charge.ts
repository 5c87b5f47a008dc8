import { projectUpcoming } from "../../billing/upcoming.ts";
import type { Prospect } from "../../billing/upcoming-steps.ts";
import { deliveriesOwed } from "../../subscriptions/schedule.ts";

/** The first of the coming deliveries that is charged, as billing itself projects it; undefined if none will be. */
export function nextChargeOf(prospect: Prospect): ReturnType<typeof projectUpcoming>[number] | undefined {
  return projectUpcoming(prospect, deliveriesOwed(prospect.view.row) + 1).find(({ isBilled }) => isBilled);
}
