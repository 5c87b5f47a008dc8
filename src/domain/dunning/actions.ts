import { retryDaysOf } from "../../base/accounts/settings.ts";
import { insertRow } from "../../base/db/row-writes.ts";
import { later } from "../../base/lib/time/dates.ts";
import type { Ctx } from "../../kit/context.ts";
import { nextStep } from "../retries/policy.ts";
import { updateEpisode } from "../retries/standing-still.ts";
import { settleOwedOnCancel } from "../subscriptions/dates/index.ts";
import { combine, demoteEntry, type Part } from "../subscriptions/part.ts";
import type { Subscription } from "../subscriptions/tables.ts";
import { notifyOfDecline } from "./notices.ts";
import { type DunningEpisode, dunningEpisodes as episodes } from "./tables.ts";

/** A refused payment. */
export type PaymentRefusal = {
  cycle: number;
  code: string;
  message: string;
  isFinal: boolean;
  /** Whether the same batch starts another attempt, with another payment method than the one that failed. */
  triesAgain: boolean;
  /** The time that billing has waited for others than the customer; the days of an episode that was open meanwhile come that much later. */
  waitedMs: number;
};

/**
 * Decides what follows a failed payment of an active subscription: an episode is opened, goes on to its next step, or ends.
 * An episode whose payment is tried again at once stays open. After a decline for good the customer is told, if the payment is still
 * owed. `known` is the episode that the subscription is in, which a further failure names unless it ends it.
 */
export function afterFailure(
  ctx: Ctx,
  row: Subscription,
  known: DunningEpisode | undefined,
  failure: PaymentRefusal,
): Part {
  const episode = known ?? newEpisode(ctx, row, failure);
  const retryDays: number[] = JSON.parse(episode.retry_days);
  const retries_from = known ? later(known.retries_from, failure.waitedMs) : ctx.now;
  const step = nextStep({ from: retries_from, retryDays }, failure.isFinal, ctx.now);
  const counted = {
    retries_from,
    attempt_count: episode.attempt_count + 1,
    last_error_code: failure.code,
    last_error_message: failure.message,
  };
  const beginning = known ? {} : beginEpisode(episode);
  if (step.status === "EXHAUSTED" && !failure.triesAgain) {
    const end = demoteEntry(exhaustEpisode(ctx, row, episode.id, counted));
    const stillOwed = failure.isFinal && end.columns?.status === "PAYMENT_FAILED";
    return combine(beginning, end, stillOwed ? notifyOfDecline(ctx, row, episode.id) : {});
  }
  const next = failure.triesAgain ? { status: "OPEN" as const, due_at: ctx.now } : step;
  return combine(
    beginning,
    {
      columns: { dunning_episode_id: episode.id },
      ...(known ? { metadata: { dunning_episode_id: known.id } } : {}),
      writes: [updateEpisode(ctx, episode.id, { ...counted, ...next })],
    },
    failure.isFinal && !failure.triesAgain ? notifyOfDecline(ctx, row, episode.id) : {},
  );
}

/** After a payment, an open episode has recovered; so has a subscription whose retries had run out. */
export function recoverEpisode(ctx: Ctx, row: Subscription): Part {
  const { dunning_episode_id: id } = row;
  if (id === null && row.status !== "PAYMENT_FAILED") return {};
  if (id === null) return { ownEntries: [{ action: "dunning_recovered" }] };
  return {
    ownEntries: [{ action: "dunning_recovered", metadata: { dunning_episode_id: id } }],
    writes: [updateEpisode(ctx, id, { status: "RECOVERED", closed_at: ctx.now, due_at: null })],
  };
}

/** Ends an episode without payment; the account's setting says what becomes of the subscription. */
export function exhaustEpisode(
  ctx: Ctx,
  row: Subscription,
  id: string,
  values: Partial<DunningEpisode> = {},
): Part {
  const metadata = { dunning_episode_id: id, final_action: ctx.account.dunning_final_action };
  return combine(
    {
      entry: { action: "dunning_exhausted", metadata },
      writes: [updateEpisode(ctx, id, { ...values, status: "EXHAUSTED", closed_at: ctx.now, due_at: null })],
    },
    demoteEntry(finalOutcome(ctx, row)),
  );
}

/** Another payment method has come after a decline for good: the payment is tried again on the next of the days, if any is left, and while they stand still once they go on. */
export function resumeRetries(ctx: Ctx, episode: DunningEpisode | undefined): Part {
  if (episode?.status !== "AWAITING_CUSTOMER") return {};
  if (episode.due_at === null) return { writes: [updateEpisode(ctx, episode.id, { status: "OPEN" })] };
  const retryDays: number[] = JSON.parse(episode.retry_days);
  const step = nextStep({ from: episode.retries_from, retryDays }, false, ctx.now);
  return step.status === "EXHAUSTED" ? {} : { writes: [updateEpisode(ctx, episode.id, step)] };
}

/** Counts a decline that comes during a pause. After one for good the customer is waited for. */
export function countDecline(
  ctx: Ctx,
  episode: DunningEpisode,
  { code, message, isFinal }: Pick<PaymentRefusal, "code" | "message" | "isFinal">,
): Part {
  const counted = {
    attempt_count: episode.attempt_count + 1,
    last_error_code: code,
    last_error_message: message,
    ...(isFinal ? { status: "AWAITING_CUSTOMER" as const } : {}),
  };
  return { writes: [updateEpisode(ctx, episode.id, counted)] };
}

/** Ends an episode whose cycle no longer has to be paid. */
export function closeEpisode(ctx: Ctx, { dunning_episode_id: id }: Subscription): Part {
  if (id === null) return {};
  return { writes: [updateEpisode(ctx, id, { status: "CLOSED", closed_at: ctx.now, due_at: null })] };
}

function beginEpisode(episode: DunningEpisode): Part {
  const metadata = { dunning_episode_id: episode.id, cycle: episode.cycle };
  return { ownEntries: [{ action: "dunning_started", metadata }], writes: [insertRow(episodes, episode)] };
}

function newEpisode(ctx: Ctx, row: Subscription, { cycle }: PaymentRefusal): DunningEpisode {
  return {
    id: ctx.newId(),
    account_seq: ctx.account.seq,
    subscription_id: row.id,
    cycle,
    status: "OPEN",
    attempt_count: 0,
    retry_days: JSON.stringify(retryDaysOf(ctx.account)),
    due_at: null,
    last_error_code: null,
    last_error_message: null,
    opened_at: ctx.now,
    closed_at: null,
    retries_from: ctx.now,
  };
}

/** The account's setting for a subscription whose retries have run out. */
function finalOutcome(ctx: Ctx, row: Subscription): Part {
  const action = ctx.account.dunning_final_action;
  const reason = "Payment failed";
  if (action === "pause")
    return {
      columns: { status: "PAUSED", paused_at: ctx.now, pause_reason: reason, dunning_episode_id: null },
      entry: { action: "subscription_paused", metadata: { reason } },
    };
  if (action === "cancel")
    return combine(settleOwedOnCancel(row, ctx.account.prepaid_on_end), {
      entry: { action: "subscription_cancelled", metadata: { reason } },
      columns: { status: "CANCELLED", cancelled_at: ctx.now, cancellation_reason: reason },
    });
  return { columns: { status: "PAYMENT_FAILED", dunning_episode_id: null } };
}
