import { inArray } from "drizzle-orm";
import { commit } from "../../../base/db/commit.ts";
import { updatesWhere } from "../../../base/db/row-writes.ts";
import { chargeJob } from "../../../base/job.ts";
import { type Doubling, doublingPause } from "../../../base/lib/backoff.ts";
import { later } from "../../../base/lib/time/dates.ts";
import type { Ctx } from "../../../kit/context.ts";
import type { ChargeAnswer } from "../../../stores/port.ts";
import { countedClaims, isForTooLong } from "../due/overdue.ts";
import { billingAttempts as attempts, type BillingAttempt, openStatuses } from "../tables.ts";
import { recordChallenge } from "./record-challenge.ts";
import { type ReviewReason, requireReview } from "./review-required.ts";
import { noteThrottling } from "./throttling.ts";

/**
 * Why the store's answer is missing. `unknown`: the request may or may not have had an effect; `throttled`: it had none, and
 * the store takes no requests for some seconds; `absent`: the store has not seen the key yet.
 */
export type NoAnswer =
  | { outcome: "unknown" }
  | { outcome: "absent" }
  | { outcome: "throttled"; seconds: number };

type Pending = Extract<ChargeAnswer, { outcome: "pending" }>;

/** An outcome that leaves the attempt open, so that the store is asked again. */
type OpenOutcome = Extract<ChargeAnswer, { outcome: "pending" | "action_required" }> | NoAnswer;

/** Ends the claim and has the store asked again: by a delayed message, and by the sweep should that message be lost. */
export async function chargeLater(ctx: Ctx, attempt: BillingAttempt, answer: OpenOutcome): Promise<void> {
  const columns = columnsAfter(ctx, attempt, answer);
  if (attempt.status !== "REVIEW" && isForTooLong({ ...attempt, ...columns }, ctx.now))
    return requireReview(ctx, attempt, answer.outcome === "pending" ? stillPending : unreachable);
  const seconds = pauseAfter(attempt, answer);
  const released = { ...columns, lease_until: null, next_action_at: later(ctx.realNow, seconds * 1000) };
  if (isNewChallenge(attempt, answer)) await recordChallenge(ctx, attempt, released);
  else await release(ctx, attempt, released);
  if (answer.outcome === "throttled") await noteThrottling(ctx, attempt);
  if (seconds < 60) await ctx.send([chargeJob(ctx.account.id, attempt)], seconds);
}

const unreachable: ReviewReason = {
  code: "store_unreachable",
  message: "The store has not answered for too long",
};
const stillPending: ReviewReason = {
  code: "still_pending",
  message: "The store has called the payment pending for too long",
};

const hourSeconds = 3600;

/** No answer: 2, 4, 8 … seconds, an hour at most. */
const silentPauses: Doubling = { first: 2, longest: hourSeconds };
/** A pending payment may take the store days: 5, 10, 20 … seconds, two hours at most. */
const pendingPauses: Doubling = { first: 5, longest: 2 * hourSeconds };

/** A challenge waits for its customer: a minute at first, an hour at most. */
function challengeSeconds(claims: number): number {
  return Math.min(hourSeconds, 60 * Math.ceil(claims / 20));
}

function pauseAfter(attempt: BillingAttempt, answer: OpenOutcome): number {
  if (attempt.status === "REVIEW") return hourSeconds;
  if (answer.outcome === "action_required") return challengeSeconds(attempt.claims);
  if (answer.outcome === "pending") return doublingPause(pendingPauses, triesOfPending(attempt, answer) - 1);
  if (answer.outcome === "throttled")
    return Math.max(doublingPause(silentPauses, attempt.claims - 1), answer.seconds);
  return doublingPause(silentPauses, attempt.unanswered - 1);
}

/** A payment that takes days has its pauses grow by all of its claims, since none counts against it. */
function triesOfPending(attempt: BillingAttempt, { takesDays }: Pending): number {
  return takesDays ? attempt.claims : countedClaims(attempt);
}

/** The columns that the outcome changes: since when it has been open, and which claims count against the attempt. */
function columnsAfter(ctx: Ctx, attempt: BillingAttempt, answer: OpenOutcome): Partial<BillingAttempt> {
  const { claims, unanswered, uncounted_claims, store_reference } = attempt;
  const open_since = attempt.open_since ?? ctx.now;
  switch (answer.outcome) {
    case "throttled": {
      const neverReachedStore = unanswered <= 1 && store_reference === null;
      return {
        unanswered: unanswered - 1,
        uncounted_claims: uncounted_claims + 1,
        open_since: neverReachedStore ? null : open_since,
      };
    }
    case "pending":
      return {
        status: attempt.status === "REVIEW" ? "REVIEW" : "PROCESSING",
        store_reference: answer.reference,
        next_action_url: null,
        unanswered: 0,
        ...(answer.takesDays ? { open_since: null, uncounted_claims: claims } : { open_since }),
      };
    case "action_required":
      return {
        status: attempt.status === "REVIEW" ? "REVIEW" : "ACTION_REQUIRED",
        store_reference: answer.reference,
        next_action_url: answer.url,
        unanswered: 0,
        uncounted_claims: claims,
        open_since: null,
        challenged_at: attempt.challenged_at ?? ctx.now,
      };
    default:
      return { open_since };
  }
}

/** The customer learns of a challenge once: an attempt under review is for people, and a new address is the same challenge. */
function isNewChallenge(attempt: BillingAttempt, { outcome }: OpenOutcome): boolean {
  return outcome === "action_required" && attempt.status !== "REVIEW" && attempt.challenged_at === null;
}

/** Writes only while the claim holds: a consumer that has lost it to another writes nothing. */
function release(ctx: Ctx, attempt: BillingAttempt, values: Partial<BillingAttempt>): Promise<unknown> {
  const { account_seq, id, claims } = attempt;
  return commit({ db: ctx.db }, [
    updateOpen({ account_seq, id, claims }, { ...values, updated_at: ctx.now }),
  ]);
}

const updateOpen = updatesWhere(attempts, () => inArray(attempts.status, [...openStatuses]));
