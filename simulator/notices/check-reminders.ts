import { dateIn } from "../../src/base/lib/time/dates.ts";
import { plusDays } from "../accounts/calendar.ts";
import type { FinalState } from "../accounts/final-state.ts";
import { instantOf, type World } from "../kernel/world.ts";

/** A customer is reminded once of each billing date, unless it was another one in between, and of each in time. */
export function checkReminders(world: World, { entries, subscriptions }: FinalState): void {
  const { account, report } = world;
  const today = dateIn(instantOf(world), account.timezone);
  for (const row of subscriptions) {
    const dates = entries
      .filter(({ action, loggable_id }) => action === "payment_reminder_due" && loggable_id === row.id)
      .map(({ metadata }) => JSON.parse(metadata ?? "{}").billing_date as string);
    for (const [nth, date] of dates.entries()) if (date === dates[nth - 1]) report(rule, `twice of ${date}`);
    const marked = row.last_payment_reminder_billing_date;
    if ((dates.at(-1) ?? null) !== marked) report(rule, `of ${dates.at(-1)}, and marked as of ${marked}`);
    const { payment_reminder_days_before: days } = account;
    const next = row.status === "PAUSED" ? row.restart_billing_date : row.next_billing_date;
    const isReminded = dates.at(-1) === next;
    const isToCome =
      ["ACTIVE", "PAUSED"].includes(row.status) &&
      row.dunning_episode_id === null &&
      row.disputed_at === null &&
      next !== null &&
      next > today;
    if (isToCome && days !== null && next <= plusDays(today, days) && !isReminded)
      report(rule, `on ${today} not of ${next}`);
  }
}

const rule = "reminders once for each date";
