import type { Ctx } from "../../context.ts";
import { notCharged } from "../../dunning/policy.ts";
import type { Failure } from "../../store/port.ts";
import { changeSubscription, type Decision } from "../../subscriptions/actions/change-subscription.ts";
import type { SubscriptionView } from "../../subscriptions/queries.ts";
import type { Subscription } from "../../subscriptions/tables.ts";
import { snapshotOf } from "../snapshot.ts";
import type { BillingAttempt } from "../tables.ts";
import { consequencesOf } from "./consequences.ts";
import { isStillOpen, settlement } from "./settle.ts";
import { type Start, startAttempt } from "./start.ts";
import { recordTries } from "./tries.ts";

/**
 * Records that no charge was made: the end of the attempt, and the consequences of the failure's class, in one guarded batch.
 */
export const recordFailure = async (ctx: Ctx, attempt: BillingAttempt, failure: Failure): Promise<void> => {
  await changeSubscription(ctx, attempt.subscription_id, { tries: recordTries }, async (view) =>
    (await isStillOpen(ctx, attempt)) ? decideFailure(ctx, view, attempt, failure) : undefined,
  );
};

/** The change that records that no charge was made. */
export async function decideFailure(
  ctx: Ctx,
  view: SubscriptionView,
  attempt: BillingAttempt,
  failure: Failure,
): Promise<Decision> {
  const { id, cycle, attempt_number } = attempt;
  const { code: error_code, message: error_message } = failure;
  const again = await anotherTry(ctx, view, attempt, failure);
  const follows = await consequencesOf(ctx, view, attempt, failure, again !== undefined);
  const metadata = { billing_attempt_id: id, cycle, attempt_number, error_code, error_message };
  const end = {
    status: endOf(failure),
    is_refused: failure.isRefused ? 1 : 0,
    error_code,
    error_message,
  } as const;
  return {
    entry: { action: "billing_failed", metadata },
    columns: {
      ...(attempt.status === "REVIEW" ? { billing_blocked_reason: null } : {}),
      ...follows.columns,
      open_attempt_id: null,
      ...again?.columns,
    },
    ownEntries: [...follows.ownEntries, ...(again ? [again.entry] : [])],
    writes: [...settlement(ctx, attempt, end), ...follows.writes, ...(again?.writes ?? [])],
    jobs: [...(follows.jobs ?? []), ...(again?.jobs ?? [])],
  };
}

/** If the payment method was changed meanwhile, the new one is tried at once. */
async function anotherTry(
  ctx: Ctx,
  view: SubscriptionView,
  attempt: BillingAttempt,
  failure: Failure,
): Promise<Start | undefined> {
  if (!isStillOwed(view.row, attempt)) return undefined;
  if (view.row.payment_method_id === snapshotOf(attempt).payment_method_id) return undefined;
  const keepsNumber = endOf(failure) === "CANCELLED" || failure.isRefused;
  return startAttempt(ctx, view, { origin: "DUNNING", withdrawn: keepsNumber ? attempt.id : undefined });
}

/** Whether the life that was billed goes on and still has to be paid. */
function isStillOwed(row: Subscription, { activation }: BillingAttempt): boolean {
  return row.activation === activation && (row.status === "ACTIVE" || row.status === "PAYMENT_FAILED");
}

/**
 * An attempt that the store has never seen is withdrawn: the cycle's next attempt has the same number and key. If the number
 * grew instead, a database restored to before it would use the skipped key, and charge again.
 */
function endOf({ code }: Failure): "FAILED" | "CANCELLED" {
  return code === notCharged.code ? "CANCELLED" : "FAILED";
}
