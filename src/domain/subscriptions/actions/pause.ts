import type { z } from "@hono/zod-openapi";
import { customerSettings, longestPauseDays } from "../../../base/accounts/portal-settings.ts";
import { invalid } from "../../../base/errors.ts";
import { addDays } from "../../../base/lib/time/calendar.ts";
import type { CalendarDate, Instant } from "../../../base/lib/time/dates.ts";
import type { Ctx } from "../../../kit/context.ts";
import { dateFrom, todayOf } from "../../../kit/days.ts";
import { requireReason, selectNamedReason } from "../../reasons/queries.ts";
import type { Reason } from "../../reasons/tables.ts";
import { selectCurrentEpisodes } from "../../retries/current-episodes.ts";
import { restEpisode } from "../../retries/standing-still.ts";
import { requireAllowed, withoutWait } from "../lifecycle.ts";
import type { PauseRequest } from "../lifecycle-requests.ts";
import { combine, type Part } from "../part.ts";
import type { SubscriptionView } from "../queries.ts";
import type { Subscription } from "../tables.ts";
import { type CommandWith, changeSubscription } from "./change-subscription.ts";
import { openWithdrawalStatements } from "./end-of-billing.ts";

type Request = z.output<typeof PauseRequest>;

/**
 * Pauses a subscription; one that is paused gets the end and the reason that the request names. What is owed stays owed, and its retries rest
 * until it is resumed.
 */
export function pauseSubscription(
  ctx: Ctx,
  { id, request, ...command }: CommandWith<Request>,
): Promise<SubscriptionView> {
  const alongside = {
    named: selectNamedReason(ctx, "pause", request.pause_reason_id),
    episodes: selectCurrentEpisodes(ctx, [id]),
  };
  const options = { alongside, ...command, needs: "can_pause" } as const;
  return changeSubscription(ctx, id, options, ({ row }, { named, episodes: [episode] }) => {
    const reason = requireReason("pause", request.pause_reason_id, named);
    const until = untilOf(ctx, request);
    requireAllowed("pause", row);
    const isPaused = row.status === "PAUSED";
    if (!isPaused || (until !== undefined && until !== row.pause_until))
      requireShortEnough(ctx, until ?? null);
    const asked = {
      ...(until === undefined ? {} : { pause_until: until }),
      ...reasonColumns(row, request, reason),
    };
    const pause: Part = {
      entry: {
        action: "subscription_paused",
        ...(reason ? { metadata: { pause_reason: { id: reason.id, label: reason.label } } } : {}),
      },
      columns: asked,
    };
    if (isPaused) return pause;
    return combine(pause, restEpisode(ctx, episode, waitedBefore(row, ctx.now)), {
      columns: { ...withoutWait(row), status: "PAUSED", paused_at: ctx.now },
      writes: openWithdrawalStatements(ctx, row),
    });
  });
}

/** The reason that the request names. That of a paused subscription stays where the request names the same. */
function reasonColumns(
  row: Subscription,
  request: Request,
  reason: Reason | undefined,
): Partial<Subscription> {
  const id = reason?.id ?? null;
  const isOther = request.pause_reason_id !== undefined && id !== row.pause_reason_id;
  if (request.reason === undefined && !isOther) return {};
  const pause_reason = request.reason ?? reason?.label ?? null;
  return { pause_reason, ...(request.pause_reason_id === undefined ? {} : { pause_reason_id: id }) };
}

/** For how long billing had waited for others; a dispute that it met has the days stand still by itself. */
function waitedBefore({ billing_waiting_since: since, disputed_at }: Subscription, now: Instant): number {
  return since === null ? 0 : Date.parse(disputed_at ?? now) - Date.parse(since);
}

/** A pause of a customer has a bound. Where the merchant has set it, a pause without an end is too long as well. */
function requireShortEnough(ctx: Ctx, until: CalendarDate | null): void {
  const settings = customerSettings(ctx);
  if (!settings || (until === null && settings.max_pause_days === null)) return;
  const days = longestPauseDays(settings);
  if (until !== null && until <= addDays(todayOf(ctx), days)) return;
  throw invalid([{ path: "pause_until", message: `must be a day at most ${days} days from today` }]);
}

function untilOf(ctx: Ctx, { pause_until }: Request): CalendarDate | null | undefined {
  if (pause_until === undefined || pause_until === null) return pause_until;
  return dateFrom(ctx, pause_until, addDays(todayOf(ctx), 1), "pause_until");
}
