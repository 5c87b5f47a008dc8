import type { z } from "@hono/zod-openapi";
import type { Ctx } from "../../context.ts";
import { parseDate } from "../../lib/dates.ts";
import { addDays } from "../cadence.ts";
import { invalidState, isReached, requireAllowed } from "../lifecycle.ts";
import type { SubscriptionView } from "../queries.ts";
import type { RestartRequest } from "../requests.ts";
import { deliveryDateIn, type NextDates, restartingFrom, startingOn, todayOf } from "../schedule.ts";
import type { Subscription } from "../tables.ts";
import { perform } from "./perform.ts";

type Request = z.output<typeof RestartRequest>;

/** The dates of a subscription that goes on: from the date asked for, else its first cycle from tomorrow on. */
const datesFor = (ctx: Ctx, { row, place }: SubscriptionView, { next_delivery_date }: Request): NextDates => {
  const today = todayOf(ctx);
  if (next_delivery_date === undefined) return restartingFrom(row, place, today);
  return startingOn(deliveryDateIn(ctx, next_delivery_date, place), place, addDays(today, 1));
};

/** Already active: a date, where the body names one, must be the next delivery's. */
const requireSame = (ctx: Ctx, what: string, row: Subscription, { next_delivery_date }: Request): void => {
  if (next_delivery_date === undefined) return;
  if (parseDate(next_delivery_date, ctx.account.timezone) !== row.next_delivery_date)
    throw invalidState(what, row);
};

const unpaused = { paused_at: null, pause_until: null, pause_reason: null, pause_reason_id: null };
const uncancelled = { cancelled_at: null, cancellation_reason: null, cancellation_reason_id: null };

/** Goes on; next dates move to the first cycle from tomorrow on, nothing is charged at once. */
export const resumeSubscription = (
  ctx: Ctx,
  id: string,
  dryRun: boolean,
  request: Request,
): Promise<SubscriptionView> =>
  perform(ctx, id, dryRun, (view) => {
    if (isReached("resume", view.row)) {
      requireSame(ctx, "resume", view.row, request);
      return undefined;
    }
    const dates = view.row.next_delivery_date === null ? undefined : datesFor(ctx, view, request);
    requireAllowed("resume", view.row);
    return { action: "subscription_resumed", after: { status: "ACTIVE", ...unpaused, ...dates } };
  });

/** Begins another life: cycles count anew, from the date asked for or the first cycle from tomorrow on. */
export const reactivateSubscription = (
  ctx: Ctx,
  id: string,
  dryRun: boolean,
  request: Request,
): Promise<SubscriptionView> =>
  perform(ctx, id, dryRun, (view) => {
    const { row, place } = view;
    if (isReached("reactivate", row)) {
      requireSame(ctx, "reactivate", row, request);
      return undefined;
    }
    const dates = datesFor(ctx, view, request);
    requireAllowed("reactivate", row);
    const start = dates.next_delivery_date ?? dates.anchor_date;
    return {
      action: "subscription_reactivated",
      after: {
        status: "ACTIVE",
        ...uncancelled,
        activation: row.activation + 1,
        current_billing_cycle: 1,
        ...startingOn(start, place, addDays(todayOf(ctx), 1)),
      },
    };
  });
