import type { Ctx } from "../../context.ts";
import { notCharged } from "../../dunning/policy.ts";
import type { Failure } from "../../store/port.ts";
import { type Decision, perform } from "../../subscriptions/actions/perform.ts";
import type { SubscriptionView } from "../../subscriptions/queries.ts";
import type { Subscription } from "../../subscriptions/tables.ts";
import { frozenOf } from "../frozen.ts";
import type { BillingAttempt } from "../tables.ts";
import { consequencesOf } from "./consequences.ts";
import { settled, stillOpen } from "./settle.ts";
import { type Start, sendCharges, startAttempt } from "./start.ts";
import { recordTries } from "./tries.ts";

/**
 * Records that no charge was made: the attempt's end, and what follows from whose failure it was, in one guarded batch.
 */
export const recordFailure = async (ctx: Ctx, attempt: BillingAttempt, failure: Failure): Promise<void> => {
  let again: Start | undefined;
  const choose = async (view: SubscriptionView): Promise<Decision | undefined> => {
    again = undefined;
    if (!(await stillOpen(ctx, attempt))) return undefined;
    const made = await failed(ctx, view, attempt, failure);
    again = made.again;
    return made.decision;
  };
  await perform(ctx, attempt.subscription_id, false, choose, recordTries);
  if (again) await sendCharges(ctx, [again.attempt.id]);
};

async function failed(
  ctx: Ctx,
  view: SubscriptionView,
  attempt: BillingAttempt,
  failure: Failure,
): Promise<{ decision: Decision; again: Start | undefined }> {
  const { cycle, attempt_number } = attempt;
  const { code, message } = failure;
  const again = await anotherTry(ctx, view, attempt, failure);
  const follows = await consequencesOf(ctx, view, attempt, failure, again !== undefined);
  const decision: Decision = {
    action: "billing_failed",
    metadata: {
      billing_attempt_id: attempt.id,
      cycle,
      attempt_number,
      error_code: code,
      error_message: message,
    },
    after: {
      ...(attempt.status === "REVIEW" ? { billing_blocked_reason: null } : {}),
      ...follows.after,
      open_attempt_id: null,
      ...again?.after,
    },
    also: [...follows.also, ...(again ? [again.told] : [])],
    writes: [
      ...settled(ctx, attempt, {
        status: endOf(failure),
        is_refused: failure.isRefused ? 1 : 0,
        error_code: code,
        error_message: message,
      }),
      ...follows.writes,
      ...(again?.writes ?? []),
    ],
  };
  return { decision, again };
}

/** Another payment method than the one that was not charged is tried at once. */
async function anotherTry(
  ctx: Ctx,
  view: SubscriptionView,
  attempt: BillingAttempt,
  failure: Failure,
): Promise<Start | undefined> {
  if (!isWanted(view.row, attempt)) return undefined;
  if (view.row.payment_method_id === frozenOf(attempt).payment_method_id) return undefined;
  const keepsNumber = endOf(failure) === "CANCELLED" || failure.isRefused;
  return startAttempt(ctx, view, { origin: "DUNNING", withdrawn: keepsNumber ? attempt.id : undefined });
}

/** Whether what was billed is still to be paid, in the life that was billed. */
const isWanted = (row: Subscription, { activation }: BillingAttempt): boolean =>
  row.activation === activation && (row.status === "ACTIVE" || row.status === "PAYMENT_FAILED");

/**
 * What the store has never seen is withdrawn: the cycle's next attempt has the same number and key. Counted on instead, a
 * database restored to before it would ask under the key that was passed over, and be charged again.
 */
const endOf = ({ code }: Failure): "FAILED" | "CANCELLED" =>
  code === notCharged.code ? "CANCELLED" : "FAILED";
