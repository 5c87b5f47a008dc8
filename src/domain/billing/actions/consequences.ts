import type { Ctx } from "../../../kit/context.ts";
import type { Failure } from "../../../stores/port.ts";
import { afterFailure, closeEpisode, countDecline, type PaymentRefusal } from "../../dunning/actions.ts";
import type { DunningEpisode } from "../../dunning/tables.ts";
import { isNoDecline } from "../../retries/policy.ts";
import { suspendRetries } from "../../retries/standing-still.ts";
import { calendarOf, datesAfterCycle, deliveriesOwed } from "../../subscriptions/dates/index.ts";
import { isDisputed, isWaiting } from "../../subscriptions/lifecycle.ts";
import { combine, type Part } from "../../subscriptions/part.ts";
import type { SubscriptionView } from "../../subscriptions/queries.ts";
import type { Subscription } from "../../subscriptions/tables.ts";
import { snapshotOf } from "../snapshot.ts";
import type { BillingAttempt } from "../tables.ts";
import { endWait, isNews, waitAgain, waitedMs } from "../waiting.ts";

/** A failure, the dunning episode that its subscription is in, and whether another payment method is tried in the same batch. */
type Failed = { failure: Failure; episode: DunningEpisode | undefined; triesAgain: boolean };

/**
 * Decides the consequences of a failure by its class: a customer's failure leads to dunning, the merchant's
 * or the store's to a wait, missing stock to what the account's setting says. Of a customer who owes nothing no payment was refused, so that
 * a store that declines a charge of 0 leads to a wait too. During a pause a decline is counted where a payment was owed before. While the subscription is disputed
 * nothing follows: its cycle is billed once that has ended.
 */
export function decideConsequences(
  ctx: Ctx,
  view: SubscriptionView,
  attempt: BillingAttempt,
  { failure, episode, triesAgain }: Failed,
): Part {
  const { row } = view;
  const isPayable = row.status === "ACTIVE" || row.status === "PAYMENT_FAILED";
  if (row.activation !== attempt.activation || isDisputed(row)) return {};
  const isRefused = failure.failure === "customer" && attempt.amount > 0 && !isNoDecline(failure.code);
  if (row.status === "PAUSED" && episode && isRefused) return countDecline(ctx, episode, failure);
  if (!isPayable) return {};
  if (isNoDecline(failure.code)) return isWaiting(row) ? { defaults: { billing_retry_at: ctx.now } } : {};
  if (isRefused) {
    const { code, message, isFinal } = failure;
    const refusal = { cycle: attempt.cycle, code, message, isFinal, triesAgain };
    return followDecline(ctx, row, episode, { ...refusal, waitedMs: waitedMs(row, ctx.now) });
  }
  if (triesAgain) return {};
  const skips = failure.failure === "stock" && ctx.account.out_of_stock_action === "skip";
  return skips ? skipCycle(ctx, view, attempt) : waitForOthers(ctx, row, attempt, failure);
}

function followDecline(
  ctx: Ctx,
  row: Subscription,
  episode: DunningEpisode | undefined,
  refusal: PaymentRefusal,
): Part {
  return combine(
    isWaiting(row) ? endWait(row) : {},
    row.status === "ACTIVE" ? afterFailure(ctx, row, episode, refusal) : {},
  );
}

/** No payment was refused: billing is tried again later, as often as it takes, and no retry is used up. */
function waitForOthers(
  ctx: Ctx,
  row: Subscription,
  { id, cycle }: BillingAttempt,
  { code, message }: Failure,
): Part {
  const metadata = { billing_attempt_id: id, cycle, error_code: code, error_message: message };
  return combine(suspendRetries(ctx, row), {
    columns: waitAgain(row, code, ctx.now),
    ownEntries: isNews(row, code) ? [{ action: "billing_waiting", metadata }] : [],
  });
}

/**
 * The cycle is not billed, nor owed any more; the next one has its number. A delivery off the schedule skips nothing of the schedule, whose
 * next day bills the cycle.
 */
function skipCycle(ctx: Ctx, view: SubscriptionView, attempt: BillingAttempt): Part {
  const { row } = view;
  const cycle = snapshotOf(attempt);
  const ended = combine(endWait(row), closeEpisode(ctx, row), { columns: { dunning_episode_id: null } });
  if (cycle.isOffSchedule || row.status !== "ACTIVE") return ended;
  const metadata = { billing_attempt_id: attempt.id, cycle: attempt.cycle, reason: "out_of_stock" };
  return combine(ended, {
    columns: datesAfterCycle(row, calendarOf(view), cycle, deliveriesOwed(row)),
    ownEntries: [{ action: "subscription_skipped", metadata }],
  });
}
