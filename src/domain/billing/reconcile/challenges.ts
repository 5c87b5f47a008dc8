import { and, asc, eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { AccountSeq } from "../../../base/db/columns.ts";
import { build, type Params, prepare, rows, subSelect } from "../../../base/db/statement.ts";
import { type Instant, later } from "../../../base/lib/time/dates.ts";
import { dayMs } from "../../../base/lib/time/durations.ts";
import type { Ctx } from "../../../kit/context.ts";
import { lookOnItsOwn } from "../../../kit/on-its-own.ts";
import { settleConfirmedLate } from "../actions/confirmed-late.ts";
import { expiredCondition } from "../actions/earlier-challenge.ts";
import { attemptColumns } from "../charge-content.ts";
import { billingAttempts as attempts, type BillingAttempt } from "../tables.ts";
import type { ChargeFinding } from "./page.ts";

/** The beginning of a page of expired challenges: after the attempt that expired then. */
export type ChallengePosition = { at: Instant; id: string };

/** The findings on a page of expired challenges, and where the next one begins; null after the last. */
type ChallengePage = { findings: ChargeFinding[]; next: ChallengePosition | null };

/**
 * Asks the store about a page of the expired challenges behind `after`, by their references, except those that have paid their
 * cycle: a webhook about a late confirmation may be lost, and the charge has the time at which it was requested, so that the
 * comparison of the last days does not see it. One that was confirmed pays its cycle, or is reported.
 */
export async function reconcileChallenges(
  ctx: Ctx,
  after: ChallengePosition,
  isEnough: () => boolean = () => false,
): Promise<ChallengePage> {
  const found = await rows(ctx.db, selectExpiredChallenges({ account_seq: ctx.account.seq, ...after }));
  const findings: ChargeFinding[] = [];
  let asked = after;
  for (const attempt of found) {
    if (attempt.has_paid === 1) continue;
    if (isEnough()) return { findings, next: asked };
    const { outcome, reference } = await settleIfAnswered(ctx, attempt);
    const { store_key, id: attempt_id, subscription_id } = attempt;
    const names = { store_key, reference, attempt_id, subscription_id };
    if (outcome === "started") findings.push({ problem: "recorded", ...names });
    if (outcome === "unmatched") findings.push({ problem: "recorded_as_not_charged", ...names });
    asked = positionOf(attempt);
  }
  const last = found.at(-1);
  return { findings, next: last && found.length === pageSize ? positionOf(last) : null };
}

/** The first of the challenges that a night asks about: those that expired within the 30 days before it, and before the last night that was done. */
export function firstToAsk({ now }: Ctx, lastDone: Instant): ChallengePosition {
  return { at: later(lastDone < now ? lastDone : now, -askedMs), id: "" };
}

const askedMs = 30 * dayMs;

const pageSize = 50;

/** One challenge about which the store does not answer is asked about again the next night. */
async function settleIfAnswered(
  ctx: Ctx,
  attempt: BillingAttempt,
): Promise<Awaited<ReturnType<typeof settleConfirmedLate>>> {
  const names = { task: "expired_challenge", attempt_id: attempt.id, claims: attempt.claims };
  const settled = await lookOnItsOwn(ctx, names, () => settleConfirmedLate(ctx, attempt));
  return settled ?? { outcome: "unconfirmed", reference: null };
}

function positionOf({ settled_at, id }: BillingAttempt): ChallengePosition {
  return { at: settled_at ?? "", id };
}

const paid = alias(attempts, "paid");

/** Whether a challenge has paid its cycle: the attempt that succeeded there has its reference. */
const hasPaid = sql<0 | 1>`EXISTS (SELECT 1 FROM ${attempts} AS ${sql.identifier("paid")}
  WHERE ${paid.account_seq} = ${attempts.account_seq} AND ${paid.subscription_id} = ${attempts.subscription_id}
    AND ${paid.activation} = ${attempts.activation} AND ${paid.cycle} = ${attempts.cycle}
    AND ${paid.status} = 'SUCCEEDED' AND ${paid.store_reference} = ${attempts.store_reference})`;

const selectExpiredChallenges = prepare((p: Params<{ account_seq: AccountSeq; at: Instant; id: string }>) =>
  build
    .select({ ...attemptColumns(attempts), has_paid: subSelect(hasPaid, "has_paid") })
    .from(attempts)
    .where(
      and(
        eq(attempts.account_seq, p("account_seq")),
        expiredCondition(attempts),
        sql`(${attempts.settled_at}, ${attempts.id}) > (${p("at")}, ${p("id")})`,
      ),
    )
    .orderBy(asc(attempts.settled_at), asc(attempts.id))
    .limit(pageSize),
);
