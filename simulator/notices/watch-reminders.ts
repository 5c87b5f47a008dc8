import type { Subscription } from "../../src/domain/subscriptions/tables.ts";
import { plusDays } from "../subscriptions/calendar.ts";

/** The columns of a subscription that say of which billing its customer was reminded. */
export type Reminded = Pick<
  Subscription,
  | ("id" | "status" | "dunning_episode_id" | "next_billing_date" | "last_payment_reminder_billing_date")
  | ("pause_until" | "restart_billing_date")
>;

/** States that a customer is reminded of the billing that comes next, within the days before it, and of none that is not to come. */
export function checkReminder(
  { days, todaysOf }: { days: number | null; todaysOf: () => string[] },
  before: Reminded,
  now: Reminded,
  report: (rule: string, detail: string) => void,
): void {
  const date = now.last_payment_reminder_billing_date;
  if (date === null || date === before.last_payment_reminder_billing_date) return;
  const todays = todaysOf();
  const isTimely = (today: string) => days !== null && date > today && date <= plusDays(today, days);
  if (!todays.some(isTimely)) report(rule, `on ${todays[0]} of the billing of ${date}`);
  const isPaused = now.status === "PAUSED" && now.pause_until !== null && date > now.pause_until;
  const next = isPaused ? now.restart_billing_date : now.status === "ACTIVE" ? now.next_billing_date : null;
  if (date !== next || now.dunning_episode_id !== null)
    report(rule, `of ${date}, where ${now.status} is billed on ${next}`);
}

const rule = "customers are reminded of what comes";
