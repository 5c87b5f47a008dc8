import type { z } from "@hono/zod-openapi";
import { customerSettings } from "../../../base/accounts/portal-settings.ts";
import { invalid } from "../../../base/errors.ts";
import type { CalendarDate } from "../../../base/lib/dates.ts";
import type { Ctx } from "../../../kit/context.ts";
import { namedReason, requireReason } from "../../reasons/queries.ts";
import type { Reason } from "../../reasons/tables.ts";
import { addDays } from "../cadence.ts";
import { invalidState, isReached, requireAllowed, withoutWait } from "../lifecycle.ts";
import type { PauseRequest } from "../lifecycle-requests.ts";
import type { SubscriptionView } from "../queries.ts";
import { dateFrom, todayOf } from "../schedule.ts";
import { type CommandWith, changeSubscription } from "./change-subscription.ts";
import { endBilling } from "./end-of-billing.ts";

type Request = z.output<typeof PauseRequest>;

export function pauseSubscription(
  ctx: Ctx,
  { id, request, ...command }: CommandWith<Request>,
): Promise<SubscriptionView> {
  const alongside = { named: namedReason(ctx, "pause", request.pause_reason_id) };
  return changeSubscription(ctx, id, { alongside, ...command, needs: "can_pause" }, (view, { named }) => {
    const until = untilOf(ctx, request);
    const reason = requireReason("pause", request.pause_reason_id, named);
    const requested = pauseColumns(request, until, reason);
    if (isReached("pause", view.row)) {
      requireSame(view, request, requested);
      return undefined;
    }
    requireAllowed("pause", view.row);
    requireShortEnough(ctx, until);
    return {
      entry: {
        action: "subscription_paused",
        ...(reason ? { metadata: { pause_reason: { id: reason.id, label: reason.label } } } : {}),
      },
      columns: {
        ...withoutWait(view.row),
        status: "PAUSED",
        paused_at: ctx.now,
        ...requested,
        dunning_episode_id: null,
      },
      writes: endBilling(ctx, view.row),
    };
  });
}

/** The subscription is paused already: the fields that the request names must be the same. */
function requireSame(
  { row }: SubscriptionView,
  request: Request,
  requested: ReturnType<typeof pauseColumns>,
): void {
  const named: [keyof typeof requested, boolean][] = [
    ["pause_until", request.pause_until !== undefined],
    ["pause_reason", request.reason !== undefined],
    ["pause_reason_id", request.pause_reason_id !== undefined],
  ];
  if (named.some(([field, isNamed]) => isNamed && row[field] !== requested[field]))
    throw invalidState("pause", row);
}

/** The columns for the end and the reason of a pause. */
function pauseColumns(request: Request, until: CalendarDate | null, reason: Reason | undefined) {
  return {
    pause_until: until,
    pause_reason: request.reason ?? reason?.label ?? null,
    pause_reason_id: reason?.id ?? null,
  };
}

/** A merchant may bound how long customers pause; a pause without an end is then too long as well. */
function requireShortEnough(ctx: Ctx, until: CalendarDate | null): void {
  const days = customerSettings(ctx)?.max_pause_days ?? null;
  if (days === null || (until !== null && until <= addDays(todayOf(ctx), days))) return;
  throw invalid([{ path: "pause_until", message: `must be a day at most ${days} days from today` }]);
}

function untilOf(ctx: Ctx, { pause_until }: Request): CalendarDate | null {
  if (pause_until === undefined || pause_until === null) return null;
  return dateFrom(ctx, pause_until, addDays(todayOf(ctx), 1), "pause_until");
}
