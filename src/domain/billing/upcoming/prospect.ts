import type { RowsBy } from "../../../base/db/statement.ts";
import { addDays } from "../../../base/lib/time/calendar.ts";
import type { Ctx } from "../../../kit/context.ts";
import { dateFrom, todayOf } from "../../../kit/days.ts";
import { selectCurrentEpisodes } from "../../retries/current-episodes.ts";
import { invalidState, withoutWait } from "../../subscriptions/lifecycle.ts";
import { getSubscriptionAnd, type SubscriptionView } from "../../subscriptions/queries.ts";
import { selectOpenAndLatestAttempts } from "../queries.ts";
import type { Prospect } from "./upcoming-steps.ts";

/** A subscription with what its next deliveries depend on, read in one trip. Throws NOT_FOUND. */
export async function readProspect(ctx: Ctx, id: string): Promise<Prospect & { view: SubscriptionView }> {
  const [view, found] = await getSubscriptionAnd(ctx, id, readForProspect(ctx, id));
  return prospectOf(ctx, view, found);
}

/** The statements of what the next deliveries of a subscription depend on besides itself. */
export function readForProspect(ctx: Ctx, id: string) {
  return { attempts: selectOpenAndLatestAttempts(ctx, id), episodes: selectCurrentEpisodes(ctx, [id]) };
}

export function prospectOf(
  ctx: Ctx,
  view: SubscriptionView,
  { attempts, episodes }: RowsBy<ReturnType<typeof readForProspect>>,
): Prospect & { view: SubscriptionView } {
  const { open_attempt_id, activation, current_billing_cycle } = view.row;
  const open = attempts.find((attempt) => attempt.id === open_attempt_id);
  const latest = attempts.find(
    (attempt) => attempt.activation === activation && attempt.cycle === current_billing_cycle,
  );
  return { view, latest, open, episode: episodes[0], account: ctx.account, now: ctx.now };
}

/**
 * The prospect as a pause until that date would leave it: an attempt that was not sent is withdrawn, dunning rests, and waits are over.
 * Throws VALIDATION_FAILED for a date before tomorrow, INVALID_STATE where the subscription cannot be paused.
 */
export function pauseUntil(ctx: Ctx, prospect: Prospect, text: string): Prospect {
  const pause_until = dateFrom(ctx, text, addDays(todayOf(ctx), 1), "pause_until");
  const { row, ...view } = prospect.view;
  if (row.status !== "ACTIVE" && row.status !== "PAUSED") throw invalidState("pause", row);
  const paused = { ...withoutWait(row), status: "PAUSED", pause_until } as const;
  return afterPause(prospect, { ...view, row: { ...row, ...paused } });
}

/** The prospect of a subscription that was paused: an attempt that was not sent is withdrawn. */
export function afterPause(prospect: Prospect, view: Prospect["view"]): Prospect {
  const isWithdrawn = prospect.open?.status === "QUEUED";
  return { ...prospect, view, open: isWithdrawn ? undefined : prospect.open };
}
