import { sql } from "drizzle-orm";
import { type Filter, facetWhere, type Param, rareWhere, unindexedFilter } from "../../base/db/filters.ts";
import { type ReminderStatus, subscriptions } from "./tables.ts";
import type { ViewContext } from "./view-context.ts";

/*
 * The filters of payment_reminder_status, in the columns that migration 0067 derives. They agree with what reminder.ts presents: a
 * reminder is DUE of a billing from tomorrow on, up to the last day that is reminded of today. That is why their value is these two days.
 */

/** Which filter finds the subscriptions of a status, and its value. */
export function reminderFilter(
  status: ReminderStatus | undefined,
  { today, remindUntil }: Pick<ViewContext, "today" | "remindUntil">,
): Record<string, string | undefined> {
  const days = JSON.stringify([today, remindUntil]);
  return {
    reminder_none: status === "NONE" ? days : undefined,
    reminder_due: status === "DUE" ? days : undefined,
    reminder_sent: status === "SENT" ? days : undefined,
  };
}

const unrecorded = sql`${subscriptions}.remind_of`;
const recorded = sql`${subscriptions}.reminder_recorded_for`;
const isSent = sql`${subscriptions}.reminder_sent_for IS NOT NULL`;

export const reminderFilters: Record<"reminder_none" | "reminder_due" | "reminder_sent", Filter> = {
  /** Most subscriptions of an account: no index finds them faster than that of the list's order. */
  reminder_none: unindexedFilter(
    (p) =>
      sql`(${isSent} OR ${isAhead(sql`COALESCE(${unrecorded}, ${recorded})`, p("reminder_none"))}) IS NOT TRUE`,
  ),
  reminder_due: {
    ...facetWhere((p) => isAhead(sql`COALESCE(${unrecorded}, ${recorded})`, p("reminder_due")), []),
    from: (
      p,
    ) => sql`(${dueBy(unrecorded, p)} UNION ALL ${dueBy(recorded, p)}) AS due CROSS JOIN ${subscriptions}
      ON ${subscriptions}.rowid = due.found`,
    isRare: true,
    reads: 2,
  },
  reminder_sent: { ...rareWhere(() => isSent), index: "subscriptions_by_sent_reminder" },
};

/** The rows of a column's index whose date is ahead. */
function dueBy(column: typeof recorded, p: Param) {
  return sql`SELECT ${subscriptions}.rowid AS found FROM ${subscriptions}
    WHERE ${subscriptions.account_seq} = ${p("account_seq")} AND ${column} IS NOT NULL AND ${isAhead(column, p("reminder_due"))}`;
}

function isAhead(date: typeof recorded, days: ReturnType<Param>) {
  return sql`${date} > (${days} ->> 0) AND ${date} <= (${days} ->> 1)`;
}
