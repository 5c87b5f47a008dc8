import { type SQL, sql } from "drizzle-orm";
import { type Filter, facetWhere, type Param, rareWhere, unindexedFilter } from "../../../base/db/filters.ts";
import { type ReminderStatus, type SubscriptionStatus, subscriptions } from "../tables.ts";
import type { ViewContext } from "../view-context.ts";

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

const chargeOn = sql`${subscriptions}.charge_on`;
const unrecorded = sql`${subscriptions}.remind_of`;
/** The billing that a rule of the account's mails has its customer reminded of, and the day on which it does. */
const byRule = sql`CASE WHEN ${subscriptions}.remind_on IS NOT NULL THEN ${chargeOn} END`;
const remindedOn = sql`${subscriptions}.remind_on`;
const recorded = sql`${subscriptions}.reminder_recorded_for`;
const isSent = sql`${subscriptions}.reminder_sent_for IS NOT NULL`;

/** Nobody is reminded of the others' charges. */
const billed: SubscriptionStatus[] = ["ACTIVE", "PAUSED"];

export const reminderFilters: Record<"reminder_none" | "reminder_due" | "reminder_sent", Filter> = {
  /** Most subscriptions of an account: no index finds them faster than that of the list's order. */
  reminder_none: unindexedFilter(
    (p) =>
      sql`(${isSent} OR ${isAhead(sql`COALESCE(${unrecorded}, ${byRule}, ${recorded})`, p("reminder_none"))}) IS NOT TRUE`,
  ),
  reminder_due: {
    ...facetWhere(
      (p) => isAhead(sql`COALESCE(${unrecorded}, ${byRule}, ${recorded})`, p("reminder_due")),
      [],
    ),
    found: due,
    from: (p) => sql`(${due(p)}) AS due CROSS JOIN ${subscriptions} ON ${subscriptions}.rowid = due.found`,
    isRare: true,
    implies: billed,
    reads: 2,
  },
  reminder_sent: { ...rareWhere(() => isSent), index: "subscriptions_by_sent_reminder", implies: billed },
};

function due(p: Param) {
  return sql`${dueByDefault(p)} UNION ALL ${recordedFor(p)} UNION ALL ${dueByRule(p)}`;
}

/** The rows without a rule whose date is ahead, in the range of an index. */
function dueByDefault(p: Param) {
  const days = p("reminder_due");
  return sql`SELECT ${subscriptions}.rowid AS found FROM ${subscriptions}
    WHERE ${subscriptions.account_seq} = ${p("account_seq")} AND ${unrecorded} IS NOT NULL
      AND ${unrecorded} > (${days} ->> 0) AND ${unrecorded} <= (${days} ->> 1)`;
}

/** The rows whose reminder is recorded and not accepted: few, as its day has come. */
function recordedFor(p: Param) {
  return sql`SELECT ${subscriptions}.rowid AS found FROM ${subscriptions}
    WHERE ${subscriptions.account_seq} = ${p("account_seq")} AND ${recorded} IS NOT NULL
      AND ${recorded} > (${p("reminder_due")} ->> 0) AND ${isAhead(recorded, p("reminder_due"))}`;
}

/** The rows whose rule has its day, of billings from tomorrow on. */
function dueByRule(p: Param) {
  const today = sql`(${p("reminder_due")} ->> 0)`;
  return sql`SELECT ${subscriptions}.rowid AS found FROM ${subscriptions}
    WHERE ${subscriptions.account_seq} = ${p("account_seq")} AND ${remindedOn} IS NOT NULL
      AND ${remindedOn} <= ${today} AND ${chargeOn} > ${today}`;
}

/** The date of a billing is ahead, and its reminder's day has come: by the row's own number of days, else by the account's. */
function isAhead(date: SQL, days: ReturnType<Param>) {
  const own = sql`date(${days} ->> 0, ${subscriptions.remind_days} || ' days')`;
  return sql`${date} > (${days} ->> 0) AND ${date} <= CASE WHEN ${subscriptions.remind_days} IS NULL THEN ${days} ->> 1 ELSE ${own} END`;
}
