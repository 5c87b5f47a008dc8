import { and, eq, getTableColumns, inArray, isNull, lte, or, sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { commit } from "../../db/commit.ts";
import { build, type Params, prepare } from "../../db/statement.ts";
import { type Instant, later } from "../../lib/dates.ts";
import { subscriptions } from "../../subscriptions/tables.ts";
import { billingAttempts as attempts, type BillingAttempt, openStatuses } from "../tables.ts";
import { expiredBefore } from "./earlier-challenge.ts";

/**
 * An attempt that this consumer alone works on until its lease ends; `sends` says whether it may charge. `expired` is an earlier
 * attempt at the cycle whose challenge has expired.
 */
export type Claimed = { attempt: BillingAttempt; sends: boolean; expired: BillingAttempt | undefined };

/**
 * Claims an attempt, in one statement: the count of claims is the fence that guards what its holder writes. The attempt may
 * be sent while the store has not answered for it, its key is young, and its subscription is still to be billed.
 * Undefined if it is settled, or another consumer has claimed it. The earlier attempt is read in the same trip.
 */
export const claimAttempt = async (ctx: Ctx, id: string): Promise<Claimed | undefined> => {
  const now = ctx.realNow;
  const [claimed, earlier] = await commit({ db: ctx.db }, [
    claim({
      account_id: ctx.account.id,
      id,
      now,
      accountNow: ctx.now,
      leaseUntil: later(now, leaseMs),
      reviewAgainAt: later(now, reviewMs),
      keysSince: later(now, -keyWindowMs),
    }),
    expiredBefore(ctx, id),
  ]);
  const [found] = claimed.rows;
  if (!found) return undefined;
  const { sends, ...attempt } = found;
  return { attempt, sends: sends === 1, expired: earlier.rows[0] };
};

/** Longer than a store may take to answer. */
const leaseMs = 60_000;
/** The store is asked about an attempt under review this often, whatever it answers. */
const reviewMs = 3_600_000;
/**
 * Stores keep idempotency keys for a day at least. A key is no longer sent once an abandoned request with it, arriving at
 * the end of its quiet period (charge.ts), could arrive later than that.
 */
const keyWindowMs = 22 * 3_600_000;

/** The subscription was neither paused nor ended since, and is in the same life. */
const isStillBilled = sql`EXISTS (SELECT 1 FROM ${subscriptions} WHERE ${subscriptions.account_id} = ${attempts.account_id}
  AND ${subscriptions.id} = ${attempts.subscription_id} AND ${subscriptions.activation} = ${attempts.activation}
  AND ${subscriptions.status} IN ('ACTIVE', 'PAYMENT_FAILED'))`;

type ClaimValues = {
  account_id: string;
  id: string;
  now: Instant;
  accountNow: Instant;
  leaseUntil: Instant;
  reviewAgainAt: Instant;
  /** A key that was first sent before this is not sent again. */
  keysSince: Instant;
};

const claim = prepare((p: Params<ClaimValues>) => {
  const { status, lease_until, first_sent_at, last_sent_at, open_since } = attempts;
  const now = sql`${p("now")}`;
  const mayBeSent = sql`(${status} IN ('QUEUED', 'PROCESSING') AND ${attempts.store_reference} IS NULL
    AND (${first_sent_at} IS NULL OR ${first_sent_at} > ${p("keysSince")}) AND ${isStillBilled})`;
  return build
    .update(attempts)
    .set({
      status: sql`CASE ${status} WHEN 'QUEUED' THEN 'PROCESSING' ELSE ${status} END`,
      claims: sql`${attempts.claims} + 1`,
      unanswered: sql`${attempts.unanswered} + 1`,
      lease_until: sql`${p("leaseUntil")}`,
      next_action_at: sql`CASE ${status} WHEN 'REVIEW' THEN ${p("reviewAgainAt")} ELSE ${p("leaseUntil")} END`,
      first_sent_at: sql`CASE WHEN ${mayBeSent} THEN COALESCE(${first_sent_at}, ${now}) ELSE ${first_sent_at} END`,
      open_since: sql`CASE WHEN ${mayBeSent} THEN COALESCE(${open_since}, ${p("accountNow")}) ELSE ${open_since} END`,
      last_sent_at: sql`CASE WHEN ${mayBeSent} THEN ${now} ELSE ${last_sent_at} END`,
      updated_at: sql`${p("accountNow")}`,
    })
    .where(
      and(
        eq(attempts.account_id, p("account_id")),
        eq(attempts.id, p("id")),
        inArray(status, [...openStatuses]),
        or(isNull(lease_until), lte(lease_until, p("now"))),
      ),
    )
    .returning({ ...getTableColumns(attempts), sends: sql<0 | 1>`${mayBeSent}`.as("sends") });
});
