import { and, eq, inArray } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { commit } from "../../db/commit.ts";
import { build, statement } from "../../db/statement.ts";
import { later } from "../../lib/dates.ts";
import type { ChargeAnswer } from "../../store/port.ts";
import { billingAttempts as attempts, type BillingAttempt, openStatuses } from "../tables.ts";
import { sendCharges } from "./start.ts";

/**
 * No answer to the question. `silent`: nothing is known; `busy`: nothing was done, and is not taken for some seconds;
 * `absent`: the store has not seen the key yet.
 */
export type Unanswered = { outcome: "silent" } | { outcome: "absent" } | { outcome: "busy"; seconds: number };

/** What leaves an attempt open, to be asked about again. */
type Waiting = Exclude<ChargeAnswer, { outcome: "succeeded" | "declined" }> | Unanswered;

/** So often a store may be silent on end; then somebody has to look (docs/operations.md). */
const mostUnanswered = 20;
const hourSeconds = 3600;

/** Ever later: 2, 4, 8 … seconds, an hour at most. */
const backoffSeconds = (times: number): number => Math.min(hourSeconds, 2 ** Math.min(times, 12));

const pauseAfter = (attempt: BillingAttempt, answer: Waiting): number => {
  if (attempt.status === "REVIEW") return hourSeconds;
  if (answer.outcome === "action_required") return 60;
  if (answer.outcome === "pending") return Math.min(hourSeconds, 5 * attempt.claims);
  if (answer.outcome === "busy") return Math.max(backoffSeconds(attempt.claims), answer.seconds);
  return backoffSeconds(attempt.unanswered);
};

const said = (attempt: BillingAttempt, answer: Waiting): Partial<BillingAttempt> => {
  if (answer.outcome === "busy") return { unanswered: attempt.unanswered - 1 };
  if (answer.outcome === "pending") return { store_reference: answer.reference, unanswered: 0 };
  if (answer.outcome !== "action_required") return {};
  return {
    status: "ACTION_REQUIRED",
    store_reference: answer.reference,
    next_action_url: answer.url,
    unanswered: 0,
  };
};

/** Only while the claim holds: who has lost it to another writes nothing. */
const held = (attempt: BillingAttempt) =>
  and(
    eq(attempts.account_id, attempt.account_id),
    eq(attempts.id, attempt.id),
    eq(attempts.claims, attempt.claims),
    inArray(attempts.status, [...openStatuses]),
  );

const put = (ctx: Ctx, attempt: BillingAttempt, values: Partial<BillingAttempt>): Promise<unknown> =>
  commit({ db: ctx.db }, [
    statement(
      build
        .update(attempts)
        .set({ ...values, lease_until: null, updated_at: ctx.now })
        .where(held(attempt)),
    ),
  ]);

/** Stops an attempt that people have to look at: it blocks its cycle, and its store is still asked now and then. */
export const putUnderReview = async (
  ctx: Ctx,
  attempt: BillingAttempt,
  error_code: string,
  error_message: string,
): Promise<void> => {
  await put(ctx, attempt, {
    status: "REVIEW",
    error_code,
    error_message,
    next_action_at: later(ctx.realNow, hourSeconds * 1000),
  });
  ctx.log("billing_review", { alert: true, attempt_id: attempt.id, error_code });
};

/** Frees the claim and has the attempt looked at again: soon by a delayed message, and by the sweep should that be lost. */
export const waitFor = async (ctx: Ctx, attempt: BillingAttempt, answer: Waiting): Promise<void> => {
  const isStuck = answer.outcome === "silent" && attempt.unanswered >= mostUnanswered;
  if (isStuck && attempt.status !== "REVIEW")
    return putUnderReview(ctx, attempt, "store_unreachable", "The store has not answered for too long");
  const seconds = pauseAfter(attempt, answer);
  await put(ctx, attempt, { ...said(attempt, answer), next_action_at: later(ctx.realNow, seconds * 1000) });
  if (seconds < 60) await sendCharges(ctx, [attempt.id], seconds);
};
