import type { Ctx } from "../../context.ts";
import type { Statement } from "../../db/client.ts";
import type { StatementsOf } from "../../db/statement.ts";
import { notCharged } from "../../dunning/policy.ts";
import { currentEpisodes } from "../../dunning/queries.ts";
import type { DunningEpisode } from "../../dunning/tables.ts";
import type { Failure } from "../../store/port.ts";
import { changeSubscription, type Decision } from "../../subscriptions/actions/change-subscription.ts";
import type { SubscriptionView } from "../../subscriptions/queries.ts";
import type { Subscription } from "../../subscriptions/tables.ts";
import { attemptNow, latestAttempts } from "../queries.ts";
import { snapshotOf } from "../snapshot.ts";
import type { BillingAttempt } from "../tables.ts";
import { consequencesOf, type Failed } from "./consequences.ts";
import { isStillOpen, settlement } from "./settle.ts";
import { type Start, startAttempt } from "./start.ts";
import { recordTries } from "./tries.ts";

/**
 * Records that no charge was made: the end of the attempt, and the consequences of the failure's class, in one guarded batch.
 */
export const recordFailure = async (ctx: Ctx, attempt: BillingAttempt, failure: Failure): Promise<void> => {
  const { id, subscription_id } = attempt;
  const alongside: StatementsOf<ReadForFailure> = [
    attemptNow(ctx, id),
    ...readForFailure(ctx, subscription_id),
  ];
  await changeSubscription(
    ctx,
    subscription_id,
    { alongside, tries: recordTries },
    (view, [now], [episode], [before]) =>
      isStillOpen(now, attempt) ? decideFailure(ctx, view, attempt, { failure, episode, before }) : undefined,
  );
};

type ReadForFailure = [BillingAttempt, DunningEpisode, BillingAttempt];

/** What `decideFailure` decides on besides the subscription. */
export function readForFailure(
  ctx: Ctx,
  subscriptionId: string,
): [Statement<DunningEpisode>, Statement<BillingAttempt>] {
  return [currentEpisodes(ctx, [subscriptionId]), latestAttempts(ctx, [subscriptionId])];
}

/** The latest attempt at the subscription's cycle. */
type Before = { before: BillingAttempt | undefined };

/** The change that records that no charge was made. */
export async function decideFailure(
  ctx: Ctx,
  view: SubscriptionView,
  attempt: BillingAttempt,
  { failure, episode, before }: Failed & Before,
): Promise<Decision> {
  const { id, cycle, attempt_number } = attempt;
  const { code: error_code, message: error_message } = failure;
  const again = await anotherTry(ctx, view, attempt, { failure, before });
  const follows = consequencesOf(ctx, view, attempt, { failure, episode, triesAgain: again !== undefined });
  const metadata = { billing_attempt_id: id, cycle, attempt_number, error_code, error_message };
  const end = {
    status: endOf(failure),
    is_refused: keepsNumber(failure) ? 1 : 0,
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
  { failure, before }: Pick<Failed, "failure"> & Before,
): Promise<Start | undefined> {
  if (!isStillOwed(view.row, attempt)) return undefined;
  if (view.row.payment_method_id === snapshotOf(attempt).payment_method_id) return undefined;
  const withdrawn = keepsNumber(failure) ? attempt.id : undefined;
  return startAttempt(ctx, view, { origin: "DUNNING", withdrawn, before });
}

/** Whether the next attempt at the cycle has this one's number and key again. */
function keepsNumber(failure: Failure): boolean {
  return endOf(failure) === "CANCELLED" || failure.isRefused;
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
