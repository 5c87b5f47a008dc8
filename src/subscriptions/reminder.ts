import { addDays } from "./cadence.ts";
import type { SubscriptionView } from "./queries.ts";
import type { reminderStatuses } from "./tables.ts";

/**
 * The status of the reminder of the next billing: SENT once it was recorded for this date, DUE from the account's number of
 * days before it.
 */
export const reminderOf = ({
  row,
  today,
  remindDays,
}: Pick<SubscriptionView, "row" | "today" | "remindDays">): (typeof reminderStatuses)[number] => {
  const { next_billing_date: date } = row;
  if (row.status !== "ACTIVE" || date === null) return "NONE";
  if (row.last_payment_reminder_billing_date === date) return "SENT";
  const isDue = remindDays !== null && row.dunning_episode_id === null && date <= addDays(today, remindDays);
  return isDue && date > today ? "DUE" : "NONE";
};
