import { and, eq } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { guard } from "../../db/decide.ts";
import { build, statement } from "../../db/statement.ts";
import { later } from "../../lib/dates.ts";
import { changeSubscription, type Decision } from "../../subscriptions/actions/change-subscription.ts";
import { billingAttempts as attempts, type BillingAttempt } from "../tables.ts";
import { isStillOpen } from "./settle.ts";
import { recordTries } from "./tries.ts";

const hourMs = 3_600_000;

/**
 * Stops an attempt that people have to look at, which its subscription and its history say: it blocks its cycle, and its
 * store is still asked every hour.
 */
export const requireReview = async (
  ctx: Ctx,
  attempt: BillingAttempt,
  { code, message }: { code: string; message: string },
): Promise<void> => {
  const decide = async (): Promise<Decision | undefined> => {
    if (!(await isStillOpen(ctx, attempt))) return undefined;
    const { id, cycle, attempt_number } = attempt;
    const metadata = {
      billing_attempt_id: id,
      cycle,
      attempt_number,
      error_code: code,
      error_message: message,
    };
    return {
      entry: { action: "billing_review_required", metadata },
      columns: { billing_blocked_reason: code },
      writes: underReview(ctx, attempt, code, message),
    };
  };
  await changeSubscription(ctx, attempt.subscription_id, { tries: recordTries }, decide);
  ctx.log("billing_review", { alert: true, attempt_id: attempt.id, error_code: code });
};

/** Fails its batch where another has settled the attempt, or claimed it since. */
function underReview(ctx: Ctx, { account_id, id, claims }: BillingAttempt, code: string, message: string) {
  return [
    guard(
      `NOT EXISTS (SELECT 1 FROM billing_attempts WHERE account_id = ? AND id = ? AND claims = ?
        AND status IN ('PROCESSING', 'ACTION_REQUIRED', 'REVIEW'))`,
      [account_id, id, claims],
    ),
    statement(
      build
        .update(attempts)
        .set({
          status: "REVIEW",
          error_code: code,
          error_message: message,
          lease_until: null,
          next_action_at: later(ctx.realNow, hourMs),
          updated_at: ctx.now,
        })
        .where(and(eq(attempts.account_id, account_id), eq(attempts.id, id))),
    ),
  ];
}
