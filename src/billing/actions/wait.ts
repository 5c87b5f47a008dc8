import { and, eq, inArray } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { commit } from "../../db/commit.ts";
import { build, statement } from "../../db/statement.ts";
import { later } from "../../lib/dates.ts";
import type { ChargeAnswer } from "../../store/port.ts";
import { isForTooLong } from "../overdue.ts";
import { billingAttempts as attempts, type BillingAttempt, openStatuses } from "../tables.ts";
import { requireReview } from "./review-required.ts";
import { chargeJob } from "./start.ts";
import { noteThrottling } from "./throttling.ts";

/**
 * No answer to the question. `silent`: nothing is known; `busy`: nothing was done, and is not taken for some seconds;
 * `absent`: the store has not seen the key yet.
 */
export type Unanswered = { outcome: "silent" } | { outcome: "absent" } | { outcome: "busy"; seconds: number };

/** What leaves an attempt open, to be asked about again. */
type Waiting = Exclude<ChargeAnswer, { outcome: "succeeded" | "declined" }> | Unanswered;

/** Frees the claim and has the attempt looked at again: soon by a delayed message, and by the sweep should that be lost. */
export const waitFor = async (ctx: Ctx, attempt: BillingAttempt, answer: Waiting): Promise<void> => {
  const said = columnsAfter(ctx, attempt, answer);
  if (attempt.status !== "REVIEW" && isForTooLong({ ...attempt, ...said }, ctx.now))
    return requireReview(ctx, attempt, answer.outcome === "pending" ? stillPending : unreachable);
  const seconds = pauseAfter(attempt, answer);
  await put(ctx, attempt, { ...said, next_action_at: later(ctx.realNow, seconds * 1000) });
  if (answer.outcome === "busy") await noteThrottling(ctx, attempt);
  if (seconds < 60) await ctx.send([chargeJob(ctx, attempt.id)], seconds);
};

const unreachable = { code: "store_unreachable", message: "The store has not answered for too long" };
const stillPending = {
  code: "still_pending",
  message: "The store has called the payment pending for too long",
};

const hourSeconds = 3600;

/** Ever later: 2, 4, 8 … seconds, an hour at most. */
const backoffSeconds = (times: number): number => Math.min(hourSeconds, 2 ** Math.min(times, 12));

/** A pending payment may take the store days: 5, 10, 20 … seconds, two hours at most. */
const pendingSeconds = (times: number): number => Math.min(2 * hourSeconds, 5 * 2 ** Math.min(times - 1, 11));

/** A challenge waits for its customer: a minute each at first, an hour at most. */
const challengeSeconds = (claims: number): number => Math.min(hourSeconds, 60 * Math.ceil(claims / 20));

function pauseAfter(attempt: BillingAttempt, answer: Waiting): number {
  if (attempt.status === "REVIEW") return hourSeconds;
  if (answer.outcome === "action_required") return challengeSeconds(attempt.claims);
  if (answer.outcome === "pending") return pendingSeconds(attempt.claims - attempt.uncounted_claims);
  if (answer.outcome === "busy") return Math.max(backoffSeconds(attempt.claims), answer.seconds);
  return backoffSeconds(attempt.unanswered);
}

/** What the answer says of the attempt: whether its outcome is open, since when, and which claims count against it. */
function columnsAfter(ctx: Ctx, attempt: BillingAttempt, answer: Waiting): Partial<BillingAttempt> {
  const { claims, unanswered, uncounted_claims, store_reference } = attempt;
  const open_since = attempt.open_since ?? ctx.now;
  switch (answer.outcome) {
    case "busy": {
      const isUntaken = unanswered <= 1 && store_reference === null;
      return {
        unanswered: unanswered - 1,
        uncounted_claims: uncounted_claims + 1,
        open_since: isUntaken ? null : open_since,
      };
    }
    case "pending":
      return { store_reference: answer.reference, unanswered: 0, open_since };
    case "action_required":
      return {
        status: attempt.status === "REVIEW" ? "REVIEW" : "ACTION_REQUIRED",
        store_reference: answer.reference,
        next_action_url: answer.url,
        unanswered: 0,
        uncounted_claims: claims,
        open_since: null,
      };
    default:
      return { open_since };
  }
}

/** Writes only while the claim holds: who has lost it to another writes nothing. */
function put(ctx: Ctx, attempt: BillingAttempt, values: Partial<BillingAttempt>): Promise<unknown> {
  return commit({ db: ctx.db }, [
    statement(
      build
        .update(attempts)
        .set({ ...values, lease_until: null, updated_at: ctx.now })
        .where(
          and(
            eq(attempts.account_id, attempt.account_id),
            eq(attempts.id, attempt.id),
            eq(attempts.claims, attempt.claims),
            inArray(attempts.status, [...openStatuses]),
          ),
        ),
    ),
  ]);
}
