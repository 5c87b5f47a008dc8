import type { Statement } from "../../../base/db/port.ts";
import type { StatementsOf } from "../../../base/db/statement.ts";
import type { Ctx } from "../../../kit/context.ts";
import { resumeRetries } from "../../dunning/actions.ts";
import { currentEpisodes } from "../../dunning/queries.ts";
import type { DunningEpisode } from "../../dunning/tables.ts";
import {
  attemptsOfHour,
  isBelowHourlyLimit,
  type RequestedAttempt,
} from "../../subscriptions/hourly-limit.ts";
import type { SubscriptionView } from "../../subscriptions/queries.ts";
import { latestAttempts } from "../queries.ts";
import type { BillingAttempt } from "../tables.ts";
import { type Start, startOwed } from "./start.ts";

/** The latest attempt at the subscription's cycle, the episode that it is in, and the attempts that people have caused in the last hour. */
export type ReadForSwitch = [BillingAttempt, DunningEpisode, RequestedAttempt];

/** What `tryNewMethod` decides on besides the subscription. */
export function readForSwitch(ctx: Ctx, id: string): StatementsOf<ReadForSwitch> {
  return [latestAttempts(ctx, [id]), currentEpisodes(ctx, [id]), attemptsOfHour(ctx, id)];
}

export type KnownForSwitch = {
  latest: BillingAttempt | undefined;
  episode: DunningEpisode | undefined;
  recent: RequestedAttempt[];
};

/**
 * Decides what a new payment method, that of the view, changes for a payment that is owed. It is tried at once, unless an attempt is in
 * progress or people have caused as many attempts within the hour as they may. Dunning no longer waits for the customer, so that the
 * next try comes on the next of its days.
 */
export async function tryNewMethod(
  ctx: Ctx,
  view: SubscriptionView,
  { latest, episode, recent }: KnownForSwitch,
): Promise<{ start: Start | undefined; writes: Statement[] }> {
  const start = isBelowHourlyLimit(recent)
    ? await startOwed(ctx, view, { before: latest, isSwitch: true })
    : undefined;
  return { start, writes: [...(start?.writes ?? []), ...resumeRetries(ctx, episode)] };
}
