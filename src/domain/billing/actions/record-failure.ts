import { dayMs } from "../../../base/lib/time/durations.ts";
import type { Ctx } from "../../../kit/context.ts";
import type { Failure } from "../../../stores/port.ts";
import { notCharged } from "../../retries/policy.ts";
import { changeSubscription } from "../../subscriptions/actions/change-subscription.ts";
import { isBelowHourlyLimit } from "../../subscriptions/bounds/hourly-limit.ts";
import { combine, demoteEntry, type Part } from "../../subscriptions/part.ts";
import type { SubscriptionView } from "../../subscriptions/queries.ts";
import type { Subscription } from "../../subscriptions/tables.ts";
import { selectAttempt } from "../queries.ts";
import { snapshotOf } from "../snapshot.ts";
import type { BillingAttempt } from "../tables.ts";
import { waitedMs } from "../waiting.ts";
import { decideConsequences } from "./consequences.ts";
import type { ConfirmedChallenge } from "./earlier-challenge.ts";
import { type KnownForSwitch, readForSwitch } from "./new-method.ts";
import { isStillOpen, settlementStatements } from "./settle.ts";
import { type AttemptStart, isHeldBack, startAttempt } from "./start.ts";
import { isStillUnpaid, startConfirmed } from "./start-confirmed.ts";
import { recordTries } from "./tries.ts";

/**
 * Records that no charge was made: the end of the attempt, and the consequences of the failure's class, in one guarded batch. Where an
 * earlier attempt's challenge was confirmed, the batch also starts the attempt that records it, if the cycle is still unpaid.
 */
export async function recordFailure(
  ctx: Ctx,
  attempt: BillingAttempt,
  failure: Failure,
  confirmed?: ConfirmedChallenge,
): Promise<void> {
  const { id, subscription_id } = attempt;
  const alongside = { now: selectAttempt(ctx, id), ...readForSwitch(ctx, subscription_id) };
  const { row } = await changeSubscription(
    ctx,
    subscription_id,
    { alongside, tries: recordTries },
    (view, { now: [now], ...known }) => {
      const failed = { failure, confirmed: ifUnpaid(view, confirmed), ...known };
      return isStillOpen(now, attempt) ? decideFailure(ctx, view, attempt, failed) : undefined;
    },
  );
  reportLongReview(ctx, row, failure);
}

/** A failure, what is known of its subscription, and an earlier attempt at the cycle whose charge pays it after all. */
type Failed = KnownForSwitch & { failure: Failure; confirmed?: ConfirmedChallenge | undefined };

/**
 * The change that records that no charge was made. Where the payment method was changed meanwhile, the new one is tried at once, if the
 * hourly limit allows it; the attempt that follows is the result.
 */
export async function decideFailure(
  ctx: Ctx,
  view: SubscriptionView,
  attempt: BillingAttempt,
  failed: Failed,
): Promise<Part<BillingAttempt>> {
  const {
    failure,
    episode: [episode],
  } = failed;
  const { id, cycle, attempt_number } = attempt;
  const { code: error_code, message: error_message } = failure;
  const again = await anotherTry(ctx, view, attempt, failed);
  const consequences = decideConsequences(ctx, view, attempt, {
    // A decline for good says nothing of the method that has come since: dunning goes on to its next day with that.
    failure: methodDiffers(view.row, attempt) ? { ...failure, isFinal: false } : failure,
    episode,
    triesAgain: again !== undefined,
  });
  const metadata = { billing_attempt_id: id, cycle, attempt_number, error_code, error_message };
  const end = {
    status: endOf(failure),
    is_refused: keepsNumber(failure) ? 1 : 0,
    error_code,
    error_message,
  } as const;
  return combine(
    {
      entry: { action: "billing_failed", metadata },
      defaults: {
        ...(attempt.status === "REVIEW" ? { billing_blocked_reason: null } : {}),
        open_attempt_id: null,
      },
      writes: settlementStatements(ctx, attempt, end),
    },
    consequences,
    again && demoteEntry(again),
  );
}

/**
 * A store that suspects fraud holds a contract back until somebody there has decided. It says nothing more, and the customer gets nothing
 * meanwhile: people are told with each try, which is once a day by then.
 */
function reportLongReview(ctx: Ctx, row: Subscription, { code }: Failure): void {
  if (code !== contractUnderReview || waitedMs(row, ctx.now) <= longReviewMs) return;
  const { id: subscription_id, billing_waiting_since: since } = row;
  ctx.log(contractUnderReview, { alert: true, account_id: ctx.account.id, subscription_id, since });
}

const contractUnderReview = "contract_under_review";
const longReviewMs = 3 * dayMs;

/** Whether the subscription is to be paid with another method than the attempt was. */
export function methodDiffers(row: Subscription, attempt: BillingAttempt): boolean {
  return row.payment_method_id !== snapshotOf(attempt).payment_method_id;
}

function ifUnpaid({ row }: SubscriptionView, confirmed: ConfirmedChallenge | undefined) {
  return confirmed && isStillUnpaid(row, confirmed.expired) ? confirmed : undefined;
}

/**
 * The attempt that follows at once: the one that records the charge of an earlier attempt, or, if the payment method was changed
 * meanwhile, a try with the new one.
 */
async function anotherTry(
  ctx: Ctx,
  view: SubscriptionView,
  attempt: BillingAttempt,
  { failure, latest: [before], recent, confirmed }: Failed,
): Promise<AttemptStart | undefined> {
  const withdrawn = keepsNumber(failure) ? attempt.id : undefined;
  if (confirmed) return startConfirmed(ctx, view, confirmed, { before, withdrawn });
  if (!isStillOwed(view.row, attempt) || !methodDiffers(view.row, attempt)) return undefined;
  if (isHeldBack(ctx, view.row)) return undefined;
  if (!isBelowHourlyLimit(recent)) return undefined;
  return startAttempt(ctx, view, { origin: "DUNNING", isSwitch: true, withdrawn, before });
}

/** Whether the next attempt at the cycle has this one's number and key again. */
function keepsNumber(failure: Failure): boolean {
  return endOf(failure) === "CANCELLED" || failure.isRefused;
}

/** Whether the life that was billed goes on and still has to be paid. */
export function isStillOwed(row: Subscription, { activation }: BillingAttempt): boolean {
  return row.activation === activation && (row.status === "ACTIVE" || row.status === "PAYMENT_FAILED");
}

/**
 * An attempt that the store has never seen is withdrawn: the cycle's next attempt has the same number and key. If the number
 * grew instead, a database restored to before it would use the skipped key, and charge again.
 */
function endOf({ code }: Failure): "FAILED" | "CANCELLED" {
  return code === notCharged.code ? "CANCELLED" : "FAILED";
}
