import { retryDaysOf } from "../../base/accounts/settings.ts";
import type { Statement } from "../../base/db/port.ts";
import { insertRow, updateRow } from "../../base/db/row-writes.ts";
import type { Job } from "../../base/job.ts";
import { later } from "../../base/lib/dates.ts";
import type { Ctx } from "../../kit/context.ts";
import type { ActivityEntry } from "../subscriptions/actions/change-subscription.ts";
import { settleOwedOnCancel } from "../subscriptions/prepaid.ts";
import type { Subscription } from "../subscriptions/tables.ts";
import { noticeOfDecline } from "./notices.ts";
import { nextStep } from "./policy.ts";
import { type DunningEpisode, dunningEpisodes as episodes } from "./tables.ts";

/** A part of a change of the subscription. */
type Part = { columns: Partial<Subscription>; ownEntries: ActivityEntry[]; writes: Statement[] };
/** A part with the jobs that are sent after the commit. */
type PartWithJobs = Part & { jobs: Job[] };

/** A refused payment. */
export type Refusal = {
  cycle: number;
  code: string;
  message: string;
  isFinal: boolean;
  /** The same batch starts another attempt, with another payment method than the one that failed. */
  triesAgain: boolean;
  /** How long billing has waited for others than the customer; the days of retries come that much later. */
  waitedMs: number;
};

/**
 * Decides what follows a failed payment of an active subscription: an episode is opened, goes on to its next step, or ends.
 * An episode whose payment is tried again at once stays open. After a decline for good the customer is told, if the payment is still
 * owed. `known` is the episode that the subscription is in.
 */
export function afterFailure(
  ctx: Ctx,
  row: Subscription,
  known: DunningEpisode | undefined,
  failure: Refusal,
): PartWithJobs {
  const episode = known ?? opened(ctx, row, failure);
  const retryDays: number[] = JSON.parse(episode.retry_days);
  const retries_from = later(episode.retries_from, failure.waitedMs);
  const step = nextStep({ from: retries_from, retryDays }, failure.isFinal, ctx.now);
  const counted = {
    retries_from,
    attempt_count: episode.attempt_count + 1,
    last_error_code: failure.code,
    last_error_message: failure.message,
  };
  const begun: ActivityEntry[] = known
    ? []
    : [{ action: "dunning_started", metadata: { dunning_episode_id: episode.id, cycle: failure.cycle } }];
  const inserted = known ? [] : [insertRow(episodes, episode)];
  if (step.status === "EXHAUSTED" && !failure.triesAgain) {
    const end = exhausted(ctx, row, episode.id, counted);
    const stillOwed = failure.isFinal && end.columns.status === "PAYMENT_FAILED";
    const notice = stillOwed ? noticeOfDecline(ctx, row, episode.id) : noNotice;
    return {
      ...end,
      ownEntries: [...begun, ...end.ownEntries],
      writes: [...inserted, ...end.writes, ...notice.writes],
      jobs: notice.jobs,
    };
  }
  const notice = failure.isFinal && !failure.triesAgain ? noticeOfDecline(ctx, row, episode.id) : noNotice;
  const next = failure.triesAgain ? { status: "OPEN" as const, due_at: ctx.now } : step;
  return {
    columns: { dunning_episode_id: episode.id },
    ownEntries: begun,
    writes: [...inserted, update(ctx, episode.id, { ...counted, ...next }), ...notice.writes],
    jobs: notice.jobs,
  };
}

/** After a payment, an open episode has recovered; so has a subscription whose retries had run out. */
export function recovery(ctx: Ctx, row: Subscription): Pick<Part, "ownEntries" | "writes"> {
  const { dunning_episode_id: id } = row;
  if (id === null && row.status !== "PAYMENT_FAILED") return { ownEntries: [], writes: [] };
  return {
    ownEntries: [
      { action: "dunning_recovered", ...(id === null ? {} : { metadata: { dunning_episode_id: id } }) },
    ],
    writes: id === null ? [] : [update(ctx, id, { status: "RECOVERED", closed_at: ctx.now, due_at: null })],
  };
}

/** The end of an episode without payment. */
export function exhausted(
  ctx: Ctx,
  row: Subscription,
  id: string,
  values: Partial<DunningEpisode> = {},
): Part {
  const { columns, ownEntries } = finalOutcome(ctx, row);
  const metadata = { dunning_episode_id: id, final_action: ctx.account.dunning_final_action };
  return {
    columns,
    ownEntries: [{ action: "dunning_exhausted", metadata }, ...ownEntries],
    writes: [update(ctx, id, { ...values, status: "EXHAUSTED", closed_at: ctx.now, due_at: null })],
  };
}

/** Another payment method has come after a decline for good: the payment is tried again on the next of the days, if any is left. */
export function resumeRetries(ctx: Ctx, episode: DunningEpisode | undefined): Statement[] {
  if (episode?.status !== "AWAITING_CUSTOMER" || episode.due_at === null) return [];
  const retryDays: number[] = JSON.parse(episode.retry_days);
  const step = nextStep({ from: episode.retries_from, retryDays }, false, ctx.now);
  return step.status === "EXHAUSTED" ? [] : [update(ctx, episode.id, step)];
}

/** While billing waits for others, the customer's days stand still. */
export function suspended(ctx: Ctx, { dunning_episode_id: id }: Subscription): Statement[] {
  return id === null ? [] : [update(ctx, id, { due_at: null })];
}

/** Ends an episode whose cycle no longer has to be paid. */
export function closed(ctx: Ctx, { dunning_episode_id: id }: Subscription): Statement[] {
  return id === null ? [] : [update(ctx, id, { status: "CLOSED", closed_at: ctx.now, due_at: null })];
}

const noNotice = { writes: [], jobs: [] };

function opened(ctx: Ctx, row: Subscription, { cycle }: Refusal): DunningEpisode {
  return {
    id: ctx.newId(),
    account_id: ctx.account.id,
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
function finalOutcome(ctx: Ctx, row: Subscription): Pick<Part, "columns" | "ownEntries"> {
  const action = ctx.account.dunning_final_action;
  const reason = "Payment failed";
  if (action === "pause")
    return {
      columns: { status: "PAUSED", paused_at: ctx.now, pause_reason: reason, dunning_episode_id: null },
      ownEntries: [{ action: "subscription_paused", metadata: { reason } }],
    };
  if (action === "cancel") {
    const ended = settleOwedOnCancel(ctx, row);
    return {
      columns: { ...ended.columns, status: "CANCELLED", cancelled_at: ctx.now, cancellation_reason: reason },
      ownEntries: [{ action: "subscription_cancelled", metadata: { reason, ...ended.metadata } }],
    };
  }
  return { columns: { status: "PAYMENT_FAILED", dunning_episode_id: null }, ownEntries: [] };
}

function update(ctx: Ctx, id: string, values: Partial<DunningEpisode>): Statement {
  return updateRow(episodes, { account_id: ctx.account.id, id }, values);
}
