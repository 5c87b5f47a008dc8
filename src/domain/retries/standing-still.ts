import type { Statement } from "../../base/db/port.ts";
import { updateRow } from "../../base/db/row-writes.ts";
import { dateIn, endOfDay, later } from "../../base/lib/time/dates.ts";
import type { Ctx } from "../../kit/context.ts";
import { type DunningEpisode, dunningEpisodes as episodes } from "../dunning/tables.ts";
import type { Subscription } from "../subscriptions/tables.ts";
import { nextStep } from "./policy.ts";

/** The part of a change that has an episode's days stand still, or go on. */
type Standing = { writes?: Statement[] };

/** While billing waits for others, the customer's days stand still. */
export function suspendRetries(ctx: Ctx, { dunning_episode_id: id }: Subscription): Standing {
  return id === null ? {} : { writes: [updateEpisode(ctx, id, { due_at: null })] };
}

/**
 * Retries that have stood still for a while go on: their days come that much later. Where none of them is left, the step that they stood
 * before is taken at once.
 */
export function continueRetries(
  ctx: Ctx,
  episode: DunningEpisode | undefined,
  stoodStillMs: number,
): Standing {
  if (!episode || (episode.status !== "OPEN" && episode.status !== "AWAITING_CUSTOMER")) return {};
  const retries_from = later(episode.retries_from, stoodStillMs);
  const days = { from: retries_from, retryDays: JSON.parse(episode.retry_days) as number[] };
  const step = nextStep(days, episode.status === "AWAITING_CUSTOMER", ctx.now);
  const due_at = step.status === "EXHAUSTED" ? ctx.now : step.due_at;
  return { writes: [updateEpisode(ctx, episode.id, { retries_from, due_at })] };
}

/**
 * A pause has the episode rest: what is owed stays owed. Its days stand still, as they did while billing waited for others before, for so long.
 */
export function restEpisode(ctx: Ctx, episode: DunningEpisode | undefined, waitedMs: number): Standing {
  return episode
    ? { writes: [updateEpisode(ctx, episode.id, { due_at: null, ...shifted(episode, waitedMs) })] }
    : {};
}

/**
 * After a pause the days of an episode come as much later, and the first retry is made on the day after the resumption. While the subscription is
 * disputed they still stand.
 */
export function continueAfterPause(
  ctx: Ctx,
  { paused_at, disputed_at }: Subscription,
  episode: DunningEpisode | undefined,
): Standing {
  if (!episode) return {};
  const restedMs = Math.max(0, Date.parse(disputed_at ?? ctx.now) - Date.parse(paused_at ?? ctx.now));
  if (disputed_at === null && episode.status === "AWAITING_CUSTOMER")
    return continueRetries(ctx, episode, restedMs);
  const { timezone } = ctx.account;
  const due_at = disputed_at === null ? endOfDay(dateIn(ctx.now, timezone), timezone) : null;
  return { writes: [updateEpisode(ctx, episode.id, { due_at, ...shifted(episode, restedMs) })] };
}

/** A dispute has ended during a pause: the days come later by the time before the pause. */
export function shiftRetries(ctx: Ctx, episode: DunningEpisode | undefined, ms: number): Standing {
  return episode ? { writes: [updateEpisode(ctx, episode.id, shifted(episode, ms))] } : {};
}

function shifted({ retries_from }: DunningEpisode, ms: number): Pick<DunningEpisode, "retries_from"> {
  return { retries_from: later(retries_from, Math.max(0, ms)) };
}

/** Writes columns of an episode. */
export function updateEpisode(ctx: Ctx, id: string, values: Partial<DunningEpisode>): Statement {
  return updateRow(episodes, { account_seq: ctx.account.seq, id }, values);
}
