import type { RowsBy } from "../../../base/db/statement.ts";
import type { Ctx } from "../../../kit/context.ts";
import { resumeRetries } from "../../dunning/actions.ts";
import { selectCurrentEpisodes } from "../../retries/current-episodes.ts";
import { isBelowHourlyLimit, selectAttemptsOfHour } from "../../subscriptions/bounds/hourly-limit.ts";
import { combine, demoteEntry, type Part } from "../../subscriptions/part.ts";
import type { SubscriptionView } from "../../subscriptions/queries.ts";
import { selectLatestAttempts } from "../queries.ts";
import type { BillingAttempt } from "../tables.ts";
import { startOwed } from "./start.ts";

/**
 * The rows that `tryNewMethod` decides on besides the subscription: the latest attempt at its cycle, the episode that it is in,
 * and the attempts that people have caused in the last hour.
 */
export function readForSwitch(ctx: Ctx, id: string) {
  return {
    latest: selectLatestAttempts(ctx, [id]),
    episode: selectCurrentEpisodes(ctx, [id]),
    recent: selectAttemptsOfHour(ctx, id),
  };
}

export type KnownForSwitch = RowsBy<ReturnType<typeof readForSwitch>>;

/**
 * Decides what a new payment method, that of the view, changes for a payment that is owed. It is tried at once, unless an attempt is in
 * progress or people have caused as many attempts within the hour as they may. Dunning no longer waits for the customer, so that the
 * next try comes on the next of its days. The result is the attempt that is started.
 */
export async function tryNewMethod(
  ctx: Ctx,
  view: SubscriptionView,
  { latest: [before], episode: [episode], recent }: KnownForSwitch,
): Promise<Part<BillingAttempt>> {
  const start = isBelowHourlyLimit(recent)
    ? await startOwed(ctx, view, { before, isSwitch: true })
    : undefined;
  return combine(start && demoteEntry(start), resumeRetries(ctx, episode));
}
