import type { z } from "@hono/zod-openapi";
import type { Ctx } from "../../context.ts";
import type { PlacedSlot } from "../../delivery/queries.ts";
import type { CalendarDate } from "../../lib/dates.ts";
import { addDays, firstBilledFrom } from "../cadence.ts";
import { invalidState, isReached, requireAllowed, unpaused } from "../lifecycle.ts";
import type { SubscriptionView } from "../queries.ts";
import type { RestartRequest } from "../requests.ts";
import {
  dateFrom,
  deliveriesOwed,
  goingOnFrom,
  type NextDates,
  requireOnSlotDay,
  restartingFrom,
  scheduleOf,
  todayOf,
} from "../schedule.ts";
import type { Subscription } from "../tables.ts";
import { changeSubscription, type Decision } from "./change-subscription.ts";

type Request = z.output<typeof RestartRequest>;

const uncancelled = { cancelled_at: null, cancellation_reason: null, cancellation_reason_id: null };

/** What resuming comes to: next dates move to the date asked for, else to the first cycle from tomorrow on. */
export const resumed = (
  ctx: Ctx,
  row: Subscription,
  place: PlacedSlot | undefined,
  asked: CalendarDate | undefined,
): Decision => {
  const today = todayOf(ctx);
  const dates = asked ? goingOnFrom(row, asked, place, addDays(today, 1)) : restartingFrom(row, place, today);
  return { entry: { action: "subscription_resumed" }, columns: { status: "ACTIVE", ...unpaused, ...dates } };
};

/** Goes on; next dates move to the date asked for, else the first cycle from tomorrow on. Nothing is charged at once. */
export const resumeSubscription = (
  ctx: Ctx,
  id: string,
  dryRun: boolean,
  { next_delivery_date }: Request,
): Promise<SubscriptionView> => {
  const tomorrow = addDays(todayOf(ctx), 1);
  const earliest = next_delivery_date && dateFrom(ctx, next_delivery_date, tomorrow);
  return changeSubscription(ctx, id, { dryRun }, ({ row, place }) => {
    if (earliest) requireOnSlotDay(earliest, place, "next_delivery_date");
    if (isReached("resume", row)) {
      requireSame("resume", row, earliest);
      return undefined;
    }
    requireAllowed("resume", row);
    return resumed(ctx, row, place, earliest);
  });
};

/**
 * Begins another life: cycles count anew, what is paid for is delivered first, and where contracts live at the store there is to be another, as one that is
 * over cannot be had back. Refused where its customer is gone.
 */
export const reactivateSubscription = (
  ctx: Ctx,
  id: string,
  dryRun: boolean,
  { next_delivery_date }: Request,
): Promise<SubscriptionView> => {
  const today = todayOf(ctx);
  const asked = next_delivery_date && dateFrom(ctx, next_delivery_date, today);
  return changeSubscription(ctx, id, { dryRun }, ({ row, place, profile }) => {
    if (asked) requireOnSlotDay(asked, place, "next_delivery_date");
    if (isReached("reactivate", row)) {
      requireSame("reactivate", row, asked);
      return undefined;
    }
    requireAllowed("reactivate", row);
    if (profile.deleted_at !== null) throw invalidState("reactivate: the profile is deleted", row);
    return {
      entry: { action: "subscription_reactivated" },
      columns: {
        status: "ACTIVE",
        ...uncancelled,
        dunning_episode_id: null,
        activation: row.activation + 1,
        ...(ctx.store.contracts ? { store_contract_id: null } : {}),
        current_billing_cycle: 1,
        ...beginning(row, place, asked, today),
      },
    };
  });
};

/**
 * Where another life begins: at the date asked for, else at the first cycle from tomorrow on. What the life before still
 * owes is delivered first, and where that is under way its next date stays.
 */
function beginning(
  row: Subscription,
  place: PlacedSlot | undefined,
  asked: CalendarDate | undefined,
  today: CalendarDate,
): NextDates {
  const life = { ...row, status: "ACTIVE" as const, current_billing_cycle: 1 };
  if (asked) return goingOnFrom(life, asked, place, today);
  if (deliveriesOwed(row) > 0 && row.next_delivery_date !== null)
    return goingOnFrom(life, row.next_delivery_date, place, today);
  const tomorrow = addDays(today, 1);
  return goingOnFrom(
    life,
    firstBilledFrom(scheduleOf(row, place), row.next_index, tomorrow).delivery,
    place,
    tomorrow,
  );
}

/** Already active: a date, where the body names one, must be the next delivery's. */
function requireSame(what: string, row: Subscription, asked: CalendarDate | undefined): void {
  if (asked !== undefined && asked !== row.next_delivery_date) throw invalidState(what, row);
}
