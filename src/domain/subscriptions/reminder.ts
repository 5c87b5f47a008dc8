import { addDays } from "../../base/lib/time/calendar.ts";
import { chargeDateOf } from "./dates/index.ts";
import type { SubscriptionItemView } from "./queries.ts";
import type { ReminderStatus } from "./tables.ts";

type Reminder = {
  payment_reminder_status: ReminderStatus;
  last_payment_reminder_sent_at: string | null;
  last_payment_reminder_billing_date: string | null;
};

/** The reminder as a subscription shows it. While one is DUE, that one is shown, and it has not been sent yet. */
export function presentReminder(view: Pick<SubscriptionItemView, "row" | "today" | "remindUntil">): Reminder {
  const { row } = view;
  const payment_reminder_status = decideReminder(view);
  const isDue = payment_reminder_status === "DUE";
  return {
    payment_reminder_status,
    last_payment_reminder_sent_at: isDue ? null : row.last_payment_reminder_sent_at,
    last_payment_reminder_billing_date: isDue ? chargeDateOf(row) : row.last_payment_reminder_billing_date,
  };
}

/**
 * The status of the reminder of the next billing: DUE from the account's number of days before it, SENT once a webhook endpoint
 * has accepted the event of this date.
 */
function decideReminder({
  row,
  today,
  remindUntil,
}: Pick<SubscriptionItemView, "row" | "today" | "remindUntil">): ReminderStatus {
  const date = chargeDateOf(row);
  if (!["ACTIVE", "PAUSED"].includes(row.status) || date === null) return "NONE";
  const isSent = row.last_payment_reminder_sent_at !== null;
  if (isSent && row.last_payment_reminder_billing_date === date) return "SENT";
  const until = row.remind_days === null ? remindUntil : addDays(today, row.remind_days);
  const isDue = until !== null && row.dunning_episode_id === null && date <= until;
  return isDue && date > today ? "DUE" : "NONE";
}
