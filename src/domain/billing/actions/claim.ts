import { and, eq, inArray, isNull, lte, or, type Placeholder, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { AccountSeq } from "../../../base/db/columns.ts";
import { commit } from "../../../base/db/commit.ts";
import { build, columnsEqual, type Params, prepare } from "../../../base/db/statement.ts";
import { type Instant, later } from "../../../base/lib/time/dates.ts";
import { hourMs, minuteMs } from "../../../base/lib/time/durations.ts";
import type { Ctx } from "../../../kit/context.ts";
import type { KnownCharge } from "../../../stores/port.ts";
import { type PaymentMethod, paymentMethods } from "../../payment-methods/tables.ts";
import { subscriptions } from "../../subscriptions/tables.ts";
import { attemptColumns } from "../charge-content.ts";
import { knownChargeOf } from "../known-charge.ts";
import { billingAttempts as attempts, type BillingAttempt, openStatuses } from "../tables.ts";
import { expiredCondition, selectExpiredBeside } from "./earlier-challenge.ts";

/**
 * An attempt that this consumer alone works on until its lease ends; `sends` says whether it may charge. `challenges` are the other
 * attempts at the cycle whose challenges have expired: they are asked about first, and only then is the attempt marked as sent. `method` is the
 * status of its payment method, as its row has it, and `known` is by what the store knows its charge.
 */
export type Claimed = {
  attempt: BillingAttempt;
  known: KnownCharge;
  sends: boolean;
  challenges: BillingAttempt[];
  method: PaymentMethod["status"] | undefined;
};

/**
 * Takes an attempt, in one statement: the count of claims is the fence that guards what its holder writes. The attempt may
 * be sent while the store has not answered for it, its key is young, and its subscription is still to be billed.
 * Undefined if it is settled, or another consumer has claimed it. What else decides is read in the same trip.
 */
export async function takeAttempt(ctx: Ctx, id: string): Promise<Claimed | undefined> {
  const now = ctx.realNow;
  const [claimed, expired, methods] = await commit({ db: ctx.db }, [
    updateClaim({
      account_seq: ctx.account.seq,
      id,
      now,
      accountNow: ctx.now,
      leaseUntil: later(now, leaseMs),
      keysSince: later(now, -keyWindowMs),
    }),
    selectExpiredBeside(ctx, id),
    selectMethod({ account_seq: ctx.account.seq, id }),
    updateReview({
      account_seq: ctx.account.seq,
      id,
      leaseUntil: later(now, leaseMs),
      reviewAgainAt: later(now, reviewMs),
    }),
  ]);
  const [found] = claimed.rows;
  if (!found) return undefined;
  const { sends, ...attempt } = found;
  const known = knownChargeOf(attempt);
  return { attempt, known, sends: sends === 1, challenges: expired.rows, method: methods.rows[0]?.status };
}

/**
 * Marks a claimed attempt as sent, after the expired challenges of its cycle were asked about. Returns whether it may still be sent: the
 * claim holds, and its subscription is still billed.
 */
export function markSent(ctx: Ctx, attempt: BillingAttempt): Promise<boolean> {
  return isMarked(ctx, attempt, updateToSend);
}

/**
 * Marks a claimed attempt as sent where its charge was found, and its row does not say that there can be one. With a reference and never
 * sent, it would be taken for one that carries the charge of an earlier attempt. Returns whether the claim holds.
 */
export function markFound(ctx: Ctx, attempt: BillingAttempt): Promise<boolean> {
  return isMarked(ctx, attempt, updateOpen);
}

async function isMarked(
  ctx: Ctx,
  { account_seq, id, claims }: BillingAttempt,
  mark: typeof updateToSend,
): Promise<boolean> {
  const now = ctx.realNow;
  const values = { account_seq, id, claims, now, accountNow: ctx.now, keysSince: later(now, -keyWindowMs) };
  const marking = mark(values);
  const [marked] = await commit({ db: ctx.db }, [marking]);
  return marked.rows.length === 1;
}

/** Longer than a store may take to answer. */
const leaseMs = minuteMs;
/** The store is asked about an attempt under review this often, whatever it answers. */
const reviewMs = hourMs;
/**
 * Stores keep idempotency keys for a day at least. A key is no longer sent once an abandoned request with it, arriving at
 * the end of its quiet period (charge.ts), could arrive later than that.
 */
const keyWindowMs = 22 * hourMs;

/** The subscription was neither paused nor ended since, is not disputed, and is in the same life. */
const isStillBilled = sql`EXISTS (SELECT 1 FROM ${subscriptions} WHERE ${subscriptions.account_seq} = ${attempts.account_seq}
  AND ${subscriptions.id} = ${attempts.subscription_id} AND ${subscriptions.activation} = ${attempts.activation}
  AND ${subscriptions.status} IN ('ACTIVE', 'PAYMENT_FAILED') AND ${subscriptions.disputed_at} IS NULL)`;

type SendValues = {
  account_seq: AccountSeq;
  id: string;
  now: Instant;
  accountNow: Instant;
  /** A key that was first sent before this is not sent again. */
  keysSince: Instant;
};
type ClaimValues = SendValues & { leaseUntil: Instant };
type SendParam = (name: keyof SendValues) => Placeholder;

const { status, lease_until, first_sent_at, last_sent_at, open_since } = attempts;

function mayBeSent(p: SendParam) {
  return sql`(${status} IN ('QUEUED', 'PROCESSING') AND ${attempts.store_reference} IS NULL
  AND (${first_sent_at} IS NULL OR ${first_sent_at} > ${p("keysSince")}) AND ${isStillBilled})`;
}

const expired = alias(attempts, "expired");

/** No challenge of the cycle has expired. Where one has, the store is asked about it first, and the attempt may not be sent after all. */
const isWithoutChallenge = sql`NOT EXISTS (SELECT 1 FROM ${attempts} AS ${sql.identifier("expired")}
  WHERE ${expired.account_seq} = ${attempts.account_seq} AND ${expired.subscription_id} = ${attempts.subscription_id}
    AND ${expired.activation} = ${attempts.activation} AND ${expired.cycle} = ${attempts.cycle}
    AND ${expiredCondition(expired)})`;

/** The columns that say since when an attempt may be at the store, under a condition. */
function sentColumns(p: SendParam, condition: SQL) {
  const now = sql`${p("now")}`;
  const accountNow = sql`${p("accountNow")}`;
  return {
    first_sent_at: sql`CASE WHEN ${condition} THEN COALESCE(${first_sent_at}, ${now}) ELSE ${first_sent_at} END`,
    open_since: sql`CASE WHEN ${condition} THEN COALESCE(${open_since}, ${accountNow}) ELSE ${open_since} END`,
    last_sent_at: sql`CASE WHEN ${condition} THEN ${now} ELSE ${last_sent_at} END`,
    updated_at: sql`${p("accountNow")}`,
  };
}

/** The sweep may find the attempt before the lease ends, and sends a message more: to put it off would write its place among what waits. */
const updateClaim = prepare((p: Params<ClaimValues>) =>
  build
    .update(attempts)
    .set({
      status: sql`CASE ${status} WHEN 'QUEUED' THEN 'PROCESSING' ELSE ${status} END`,
      claims: sql`${attempts.claims} + 1`,
      unanswered: sql`${attempts.unanswered} + 1`,
      lease_until: sql`${p("leaseUntil")}`,
      ...sentColumns(p, sql`${mayBeSent(p)} AND ${isWithoutChallenge}`),
    })
    .where(
      and(
        columnsEqual(attempts, p, "account_seq", "id"),
        inArray(status, [...openStatuses]),
        or(isNull(lease_until), lte(lease_until, p("now"))),
      ),
    )
    .returning({ ...attemptColumns(attempts), sends: sql<0 | 1>`${mayBeSent(p)}`.as("sends") }),
);

type ReviewValues = Pick<ClaimValues, "account_seq" | "id" | "leaseUntil"> & { reviewAgainAt: Instant };

const updateReview = prepare((p: Params<ReviewValues>) =>
  build
    .update(attempts)
    .set({ next_action_at: sql`${p("reviewAgainAt")}` })
    .where(
      and(
        columnsEqual(attempts, p, "account_seq", "id"),
        sql`${status} = 'REVIEW'`,
        sql`${lease_until} = ${p("leaseUntil")}`,
      ),
    ),
);

const selectMethod = prepare((p: Params<{ account_seq: AccountSeq; id: string }>) =>
  build
    .select({ status: paymentMethods.status })
    .from(attempts)
    .innerJoin(
      paymentMethods,
      and(
        eq(paymentMethods.account_seq, attempts.account_seq),
        eq(paymentMethods.id, sql`${attempts.snapshot} ->> '$.payment_method_id'`),
      ),
    )
    .where(columnsEqual(attempts, p, "account_seq", "id")),
);

type MarkValues = SendValues & { claims: number };

const updateToSend = prepare((p: Params<MarkValues>) => mark(p, mayBeSent(p)));
const updateOpen = prepare((p: Params<MarkValues>) => mark(p, inArray(status, [...openStatuses])));

function mark(p: Params<MarkValues>, condition: SQL) {
  return build
    .update(attempts)
    .set(sentColumns(p, sql`1`))
    .where(
      and(
        eq(attempts.account_seq, p("account_seq")),
        eq(attempts.id, p("id")),
        eq(attempts.claims, p("claims")),
        condition,
      ),
    )
    .returning({ id: attempts.id });
}
