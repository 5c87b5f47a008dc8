import type { Statement } from "../../../base/db/port.ts";
import { raw, rows } from "../../../base/db/statement.ts";
import { eventTypes } from "../../../base/event-types.ts";
import type { CalendarDate } from "../../../base/lib/time/dates.ts";
import type { Ctx } from "../../../kit/context.ts";
import { todayOf } from "../../../kit/days.ts";
import { commitEntries } from "../../../kit/journal/write.ts";
import { inHalves } from "../../../kit/on-its-own.ts";
import type { PaymentMethod } from "../../payment-methods/tables.ts";

/**
 * Records `payment_method_expiring` for a page of payment methods, 30 and 7 days before they expire, once each, where a living
 * subscription is paid with them. One that none is paid with is looked at again the next day. Returns how many were looked at.
 */
export async function announceExpiring(ctx: Ctx): Promise<number> {
  const due = await rows(ctx.db, selectDue(ctx));
  const namesOf = ({ id }: Due) => ({ task: "expiring_method", payment_method_id: id });
  return (await inHalves(ctx, due, namesOf, (some) => record(ctx, some))).length;
}

/** Payment methods in one batch: few enough for one parameter. */
const pageSize = 1000;

type Due = { id: string; expires_on: CalendarDate };

/** These columns are the database's own, so the builder does not know them; nor does it know those of the statements below. */
function selectDue(ctx: Ctx): Statement<Due> {
  return raw<Due>(
    `SELECT id, expires_on FROM payment_methods WHERE account_seq = ? AND expiry_due_on IS NOT NULL AND expiry_due_on <= ?
      ORDER BY expiry_due_on LIMIT ?`,
    ...[ctx.account.seq, todayOf(ctx), pageSize],
  );
}

/** A payment method that is no longer due when the batch is written, or expires on another day, gets no entry and no change. */
const stillDue = `FROM json_each(?1) AS due CROSS JOIN payment_methods AS method ON method.account_seq = ?2
  AND method.id = due.value ->> 1 AND method.expires_on = due.value ->> 2 AND method.expiry_due_on <= ?3`;

/** Whether a subscription is charged, now or later: of what an import holds, customers are told nothing. */
const isCharged = "s.status IN ('ACTIVE', 'PAUSED') AND s.billing_blocked_reason IS NOT 'import_held'";

/** The subscriptions that a payment method is to be charged for. */
const living = `FROM subscriptions AS s WHERE s.account_seq = method.account_seq AND s.payment_method_id = method.id
  AND ${isCharged}`;

/** The day of the later notice; the schema has that of the first. */
const laterOn = "date(method.expires_on, '-7 days')";

/** If both notices are due, as after a pause of the service, the later alone is recorded. */
const daysBefore = `CASE WHEN ${laterOn} <= ?3 THEN 7 ELSE 30 END`;

/** Inserts the entries, then notes when each payment method is looked at next. */
async function record(ctx: Ctx, due: Due[]): Promise<void> {
  const { account, actor, now, realNow } = ctx;
  const ids = due.map(() => ctx.newId());
  const listed = JSON.stringify(due.map(({ id, expires_on }, nth) => [ids[nth], id, expires_on]));
  const action = "payment_method_expiring";
  await commitEntries(ctx, ids, [
    raw(
      `INSERT INTO new_entries (id, account_seq, action, metadata, actor_type, actor_name, loggable_type, loggable_id,
          profile_id, created_at, type, recorded_at)
        SELECT due.value ->> 0, ?2, ?4, json_object('payment_method_id', method.id, 'expires_on', method.expires_on,
          'days_before', ${daysBefore}), ?5, ?6, 'profile', method.profile_id, method.profile_id, ?7, ?8, ?9 ${stillDue}
          WHERE method.expires_on >= ?3 AND EXISTS (SELECT 1 ${living})`,
      ...[
        listed,
        account.seq,
        todayOf(ctx),
        action,
        actor.type,
        actor.name,
        now,
        eventTypes[action],
        realNow,
      ],
    ),
    raw(
      `UPDATE payment_methods AS method SET expiry_seen_of = expires_on, expiry_next_on = CASE
          WHEN expires_on < ?3 THEN NULL
          WHEN NOT EXISTS (SELECT 1 ${living}) THEN date(?3, '+1 day')
          WHEN ${laterOn} > ?3 THEN ${laterOn} END
        WHERE rowid IN (SELECT method.rowid ${stillDue})`,
      ...[listed, account.seq, todayOf(ctx)],
    ),
  ]);
}

/** A payment method that still expires on a day, and a subscription that is paid with it. */
type Expiring = Pick<PaymentMethod, "brand" | "last4"> & { subscription_id: string };

/** The most subscriptions of one payment method that are told of. */
const toldMax = 10;

/** The payment method with each of its living subscriptions; none if it is not valid any more, or expires on another day. */
export function findExpiring(ctx: Ctx, id: string, expiresOn: CalendarDate): Promise<Expiring[]> {
  const found = raw<Expiring>(
    `SELECT method.brand, method.last4, s.id AS subscription_id
      FROM payment_methods AS method CROSS JOIN subscriptions AS s
        ON s.account_seq = method.account_seq AND s.payment_method_id = method.id AND ${isCharged}
      WHERE method.account_seq = ? AND method.id = ? AND method.status = 'VALID' AND method.expires_on = ?
        AND method.expires_on >= ? ORDER BY s.seq LIMIT ?`,
    ...[ctx.account.seq, id, expiresOn, todayOf(ctx), toldMax],
  );
  return rows(ctx.db, found);
}
