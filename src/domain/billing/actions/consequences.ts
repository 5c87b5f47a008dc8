import type { Statement } from "../../../base/db/port.ts";
import type { Job } from "../../../base/job.ts";
import type { Ctx } from "../../../kit/context.ts";
import type { Failure } from "../../../stores/port.ts";
import { afterFailure, closed, type Refusal, suspended } from "../../dunning/actions.ts";
import { isNoDecline } from "../../dunning/policy.ts";
import type { DunningEpisode } from "../../dunning/tables.ts";
import type { ActivityEntry } from "../../subscriptions/actions/change-subscription.ts";
import { isWaiting, notWaiting } from "../../subscriptions/lifecycle.ts";
import type { SubscriptionView } from "../../subscriptions/queries.ts";
import { nextAfter, todayOf } from "../../subscriptions/schedule.ts";
import type { Subscription } from "../../subscriptions/tables.ts";
import { snapshotOf } from "../snapshot.ts";
import type { BillingAttempt } from "../tables.ts";
import { isNews, waitAgain, waitEnded, waitedMs } from "../waiting.ts";

/** A part of the change that records a failure. */
type Part = {
  columns: Partial<Subscription>;
  ownEntries: ActivityEntry[];
  writes: Statement[];
  jobs?: Job[];
};

/** A failure, the dunning episode that its subscription is in, and whether another payment method is tried in the same batch. */
type Failed = { failure: Failure; episode: DunningEpisode | undefined; triesAgain: boolean };

/**
 * Decides the consequences of a failure by its class (docs/billing.md): a customer's failure leads to dunning, the merchant's
 * or the store's to a wait, missing stock to what the account's setting says. Of a customer who owes nothing no payment was refused, so that
 * a store that declines a charge of 0 leads to a wait too.
 */
export function consequencesOf(
  ctx: Ctx,
  view: SubscriptionView,
  attempt: BillingAttempt,
  { failure, episode, triesAgain }: Failed,
): Part {
  const { row } = view;
  const isPayable = row.status === "ACTIVE" || row.status === "PAYMENT_FAILED";
  if (row.activation !== attempt.activation || !isPayable) return nothing;
  if (isNoDecline(failure.code))
    return isWaiting(row) ? { ...nothing, columns: { billing_retry_at: ctx.now } } : nothing;
  if (failure.failure === "customer" && attempt.amount > 0) {
    const { code, message, isFinal } = failure;
    const refusal = { cycle: attempt.cycle, code, message, isFinal, triesAgain };
    return declined(ctx, row, episode, { ...refusal, waitedMs: waitedMs(row, ctx.now) });
  }
  if (triesAgain) return nothing;
  const skips = failure.failure === "stock" && ctx.account.out_of_stock_action === "skip";
  return skips ? skipped(ctx, view, attempt) : waits(ctx, row, attempt, failure);
}

const nothing: Part = { columns: {}, ownEntries: [], writes: [] };

function declined(ctx: Ctx, row: Subscription, episode: DunningEpisode | undefined, refusal: Refusal): Part {
  const ended: Part = isWaiting(row) ? { columns: notWaiting, ownEntries: [waitEnded], writes: [] } : nothing;
  if (row.status !== "ACTIVE") return ended;
  const dunning = afterFailure(ctx, row, episode, refusal);
  return {
    columns: { ...ended.columns, ...dunning.columns },
    ownEntries: [...ended.ownEntries, ...dunning.ownEntries],
    writes: dunning.writes,
    jobs: dunning.jobs,
  };
}

/** No payment was refused: billing is tried again later, as often as it takes, and no retry is used up. */
function waits(ctx: Ctx, row: Subscription, { id, cycle }: BillingAttempt, { code, message }: Failure): Part {
  const metadata = { billing_attempt_id: id, cycle, error_code: code, error_message: message };
  return {
    columns: waitAgain(row, code, ctx.now),
    ownEntries: isNews(row, code) ? [{ action: "billing_waiting", metadata }] : [],
    writes: suspended(ctx, row),
  };
}

/** The cycle is not billed; the next one has its number. A delivery off the schedule skips nothing of the schedule. */
function skipped(ctx: Ctx, { row, slot }: SubscriptionView, attempt: BillingAttempt): Part {
  const { delivery_date: delivery, isOffSchedule } = snapshotOf(attempt);
  const ended: ActivityEntry[] = isWaiting(row) ? [waitEnded] : [];
  if (isOffSchedule || row.status !== "ACTIVE") return { columns: notWaiting, ownEntries: ended, writes: [] };
  const owed = row.next_billed_index - row.next_index;
  const dates = nextAfter(row, slot, { delivery, owed, isOffSchedule }, todayOf(ctx));
  const metadata = { billing_attempt_id: attempt.id, cycle: attempt.cycle, reason: "out_of_stock" };
  return {
    columns: { ...notWaiting, ...dates, dunning_episode_id: null },
    ownEntries: [...ended, { action: "subscription_skipped", metadata }],
    writes: closed(ctx, row),
  };
}
