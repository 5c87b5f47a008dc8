import { and, eq, isNull, sql } from "drizzle-orm";
import type { Statement } from "../../../base/db/port.ts";
import { build, raw, rows, statement } from "../../../base/db/statement.ts";
import { eventTypes } from "../../../base/event-types.ts";
import { addDays } from "../../../base/lib/time/calendar.ts";
import type { Ctx } from "../../../kit/context.ts";
import { todayOf } from "../../../kit/days.ts";
import type { ActivityLog } from "../../../kit/journal/tables.ts";
import { commitEntries } from "../../../kit/journal/write.ts";
import { inHalves } from "../../../kit/on-its-own.ts";
import { subscriptions } from "../../subscriptions/tables.ts";
import { isChargedBeforeEnd } from "./charged-before-end.ts";

/**
 * Records that a receiver has accepted the reminder of a billing date. The subscription itself does not change, so it gets no new
 * revision. A reminder of another date, or one recorded before, changes nothing.
 */
export function updateReminderAccepted(
  { account, now }: Ctx,
  { loggable_id, metadata }: Pick<ActivityLog, "loggable_id" | "metadata">,
): Statement {
  return statement(
    build
      .update(subscriptions)
      .set({ last_payment_reminder_sent_at: now })
      .where(
        and(
          eq(subscriptions.account_seq, account.seq),
          eq(subscriptions.id, loggable_id),
          sql`${subscriptions.last_payment_reminder_billing_date} = ${metadata} ->> 'billing_date'`,
          isNull(subscriptions.last_payment_reminder_sent_at),
        ),
      ),
  );
}

/**
 * Records `payment_reminder_due` for a page of subscriptions, once for each billing date, and returns the ids of those that it was recorded
 * for. The receiver of the event reminds the customer.
 */
export async function remind(ctx: Ctx): Promise<Due[]> {
  const due = await findDue(ctx, ctx.account.payment_reminder_days_before);
  const namesOf = ({ id }: Due) => ({ task: "payment_reminder", subscription_id: id });
  return inHalves(ctx, due, namesOf, (some) => record(ctx, some));
}

/** Subscriptions in one batch: few enough for one parameter. */
const pageSize = 1000;

type Due = { id: string; billing_date: string };

/** By the account's number of days, or by the rule that the settings of mails have for an interval. */
function findDue(ctx: Ctx, days: number | null): Promise<Due[]> {
  const today = todayOf(ctx);
  const until = days === null ? today : addDays(today, days);
  // The columns are computed by the database, so the builder does not know them.
  const page = raw<Due>(
    `SELECT id, billing_date FROM (
        SELECT * FROM (SELECT id, remind_of AS billing_date, seq FROM subscriptions WHERE account_seq = ?1
          AND remind_of IS NOT NULL AND remind_of > ?2 AND remind_of <= ?3 AND ${isChargedBeforeEnd("subscriptions")} ORDER BY remind_of, seq LIMIT ?4)
        UNION ALL
        SELECT * FROM (SELECT id, charge_on AS billing_date, seq FROM subscriptions WHERE account_seq = ?1
          AND remind_on IS NOT NULL AND remind_on <= ?2 AND charge_on > ?2 AND ${isChargedBeforeEnd("subscriptions")} ORDER BY remind_on, seq LIMIT ?4))
      ORDER BY billing_date, seq LIMIT ?4`,
    ...[ctx.account.seq, today, until, pageSize],
  );
  return rows(ctx.db, page);
}

/** The billing that a rule has a customer reminded of. */
const ofRule = "CASE WHEN subscriptions.remind_on IS NOT NULL THEN subscriptions.charge_on END";

/** A subscription whose reminder of this date is no longer due when the batch is written gets no entry and no change. */
const stillDue = `FROM json_each(?1) AS due CROSS JOIN subscriptions ON subscriptions.account_seq = ?2
  AND subscriptions.id = due.value ->> 1 AND COALESCE(subscriptions.remind_of, ${ofRule}) = due.value ->> 2
  AND ${isChargedBeforeEnd("subscriptions")}`;

/**
 * Inserts the entries, then marks the subscriptions so that no entry is made twice. The subscriptions themselves do not change, so
 * they get no new revision. Raw, because the builder cannot write many rows from one parameter.
 */
async function record(ctx: Ctx, due: Due[]): Promise<void> {
  const { account, actor, now, realNow } = ctx;
  const ids = due.map(() => ctx.newId());
  const listed = JSON.stringify(due.map(({ id, billing_date }, nth) => [ids[nth], id, billing_date]));
  const action = "payment_reminder_due";
  await commitEntries(ctx, ids, [
    raw(
      `INSERT INTO new_entries (id, account_seq, action, metadata, actor_type, actor_name, loggable_type, loggable_id,
          subscription_id, profile_id, created_at, type, recorded_at)
        SELECT due.value ->> 0, ?2, ?3, json_object('billing_date', due.value ->> 2), ?4, ?5, 'subscription', subscriptions.id,
          subscriptions.id, subscriptions.profile_id, ?6, ?7, ?8 ${stillDue}`,
      ...[listed, account.seq, action, actor.type, actor.name, now, eventTypes[action], realNow],
    ),
    raw(
      `UPDATE subscriptions SET last_payment_reminder_sent_at = NULL, last_payment_reminder_billing_date = charge_on
        WHERE seq IN (SELECT subscriptions.seq ${stillDue})`,
      ...[listed, account.seq],
    ),
  ]);
}
