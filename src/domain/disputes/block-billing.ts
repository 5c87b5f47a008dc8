import type { Ctx } from "../../kit/context.ts";
import type { DunningEpisode } from "../dunning/tables.ts";
import { continueRetries, shiftRetries, suspendRetries } from "../retries/standing-still.ts";
import { withdrawalStatements } from "../subscriptions/actions/end-of-billing.ts";
import { isDisputed, isWaiting } from "../subscriptions/lifecycle.ts";
import { combine, type Part } from "../subscriptions/part.ts";
import type { Subscription } from "../subscriptions/tables.ts";

/**
 * Keeps a subscription from being billed: an attempt that was not sent yet is withdrawn, and retries of a payment stand still. The cycle
 * that is due stays due.
 */
export function blockBilling(ctx: Ctx, row: Subscription): Part {
  if (isDisputed(row)) return {};
  const { open_attempt_id: attempt } = row;
  return combine(suspendRetries(ctx, row), {
    columns: { disputed_at: ctx.now },
    writes: attempt === null ? [] : withdrawalStatements(ctx, row, attempt),
  });
}

/** Lets billing go on as it stood: what fell due meanwhile is billed now, and the days of retries come that much later. */
export function unblockBilling(ctx: Ctx, row: Subscription, episode: DunningEpisode | undefined): Part {
  const { disputed_at, open_attempt_id, billing_retry_at } = row;
  if (disputed_at === null) return {};
  if (row.status === "PAUSED") {
    const beforeMs = Date.parse(row.paused_at ?? ctx.now) - Date.parse(disputed_at);
    return combine({ columns: { disputed_at: null } }, shiftRetries(ctx, episode, beforeMs));
  }
  const stoodStillMs = Math.max(0, Date.parse(ctx.now) - Date.parse(disputed_at));
  // Retries that also wait for others go on by the end of that wait, whose try the dispute may have withdrawn.
  if (isWaiting(row)) {
    const isWithdrawn = open_attempt_id === null && billing_retry_at === null;
    return { columns: { disputed_at: null, ...(isWithdrawn ? { billing_retry_at: ctx.now } : {}) } };
  }
  return combine({ columns: { disputed_at: null } }, continueRetries(ctx, episode, stoodStillMs));
}
