import { updateRow } from "../../../base/db/row-writes.ts";
import { later } from "../../../base/lib/time/dates.ts";
import { hourMs } from "../../../base/lib/time/durations.ts";
import type { Ctx } from "../../../kit/context.ts";
import { changeSubscription } from "../../subscriptions/actions/change-subscription.ts";
import type { Part } from "../../subscriptions/part.ts";
import { selectAttempt } from "../queries.ts";
import { billingAttempts as attempts, type BillingAttempt, type ReviewCode } from "../tables.ts";
import { guardClaim, isStillOpen } from "./settle.ts";
import { recordTries } from "./tries.ts";

/** Why an attempt is put under review. */
export type ReviewReason = { code: ReviewCode; message: string };

/**
 * Puts an attempt under review: people have to look at it, which its subscription and its history show. It blocks its
 * cycle, and the store is still asked every hour.
 */
export async function requireReview(
  ctx: Ctx,
  attempt: BillingAttempt,
  { code, message }: ReviewReason,
): Promise<void> {
  if (isReported(attempt, code)) return;
  const options = { alongside: { now: selectAttempt(ctx, attempt.id) }, tries: recordTries };
  await changeSubscription(ctx, attempt.subscription_id, options, (_, { now: [now] }): Part | undefined => {
    if (!isStillOpen(now, attempt)) return undefined;
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
      writes: underReview(ctx, attempt, { code, message }),
    };
  });
  ctx.log("billing_review", { alert: true, attempt_id: attempt.id, error_code: code });
}

/** People know already: nothing is said twice, and the claim has put the next look at the store off by an hour. */
function isReported({ status, error_code }: BillingAttempt, code: string): boolean {
  return status === "REVIEW" && error_code === code;
}

function underReview(ctx: Ctx, attempt: BillingAttempt, { code, message }: ReviewReason) {
  const { account_seq, id } = attempt;
  return [
    guardClaim(attempt),
    updateRow(
      attempts,
      { account_seq, id },
      {
        status: "REVIEW",
        error_code: code,
        error_message: message,
        lease_until: null,
        next_action_at: later(ctx.realNow, hourMs),
        updated_at: ctx.now,
      },
    ),
  ];
}
