import type { z } from "@hono/zod-openapi";
import type { RowsBy } from "../../../base/db/statement.ts";
import { DomainError } from "../../../base/errors.ts";
import { addDays } from "../../../base/lib/time/calendar.ts";
import type { CalendarDate } from "../../../base/lib/time/dates.ts";
import type { Ctx } from "../../../kit/context.ts";
import { dateFrom, todayOf } from "../../../kit/days.ts";
import type { DunningEpisode } from "../../dunning/tables.ts";
import { selectCurrentEpisodes } from "../../retries/current-episodes.ts";
import { continueAfterPause } from "../../retries/standing-still.ts";
import { requireBelowHourlyLimit, selectAttemptsOfHour } from "../bounds/hourly-limit.ts";
import {
  calendarOf,
  continueSchedule,
  datesAfterPause,
  datesAfterReactivation,
  type NextDates,
  requireDeliverable,
} from "../dates/index.ts";
import { invalidState, isReached, isUnderReview, requireAllowed, unpaused } from "../lifecycle.ts";
import type { RestartRequest } from "../lifecycle-requests.ts";
import { combine, type Part } from "../part.ts";
import type { SubscriptionView } from "../queries.ts";
import { guardSourceRef, requireFreeSourceRef, selectOtherWithSourceRef } from "../source-refs.ts";
import type { Subscription } from "../tables.ts";
import { type CommandWith, changeSubscription } from "./change-subscription.ts";

type Request = z.output<typeof RestartRequest>;

type Paused = Pick<SubscriptionView, "row" | "slot" | "account" | "today"> & {
  episode: DunningEpisode | undefined;
};

/** The decision to resume: the next dates move to the requested date, else from tomorrow on, and retries of a payment that is owed go on. */
export function resumeDecision(
  ctx: Ctx,
  { row, episode, ...surroundings }: Paused,
  requested: CalendarDate | undefined,
): Part {
  const calendar = calendarOf(surroundings);
  const dates = requested
    ? continueSchedule(row, requested, calendar, addDays(calendar.today, 1))
    : datesAfterPause(row, calendar);
  return combine(continueAfterPause(ctx, row, episode), {
    entry: { action: "subscription_resumed" },
    columns: { status: "ACTIVE", ...unpaused, ...dates },
  });
}

/** Resumes a paused subscription. The next dates move as resumeDecision says, and nothing is charged today. */
export function resumeSubscription(
  ctx: Ctx,
  { id, request: { next_delivery_date } }: CommandWith<Request>,
): Promise<SubscriptionView> {
  const tomorrow = addDays(todayOf(ctx), 1);
  const earliest = next_delivery_date && dateFrom(ctx, next_delivery_date, tomorrow);
  const takesPlace = { what: "resume", path: "next_delivery_date" };
  const alongside = { episodes: selectCurrentEpisodes(ctx, [id]) };
  const options = { alongside, takesPlace, moves: pathOf(earliest) };
  return changeSubscription(ctx, id, options, (view, { episodes: [episode] }) => {
    const { row } = view;
    if (earliest) requireDeliverable(earliest, calendarOf(view), "next_delivery_date");
    if (isReached("resume", row)) {
      requireSame("resume", row, earliest);
      return undefined;
    }
    requireAllowed("resume", row);
    return resumeDecision(ctx, { ...view, episode }, earliest);
  });
}

/**
 * Starts an ended subscription anew: cycles count from 1, and deliveries that are paid for come first. A store that keeps
 * contracts gets a new one, because it cannot restore one that has ended. Refused where the profile is deleted, while the last
 * life's attempt is under review, which would keep the new life from being billed, while another subscription lives in its place, and as the sixth charge of an hour.
 */
export function reactivateSubscription(
  ctx: Ctx,
  { id, request: { next_delivery_date } }: CommandWith<Request>,
): Promise<SubscriptionView> {
  const today = todayOf(ctx);
  const requested = next_delivery_date && dateFrom(ctx, next_delivery_date, today);
  const alongside = readForReactivation(ctx, id);
  const takesPlace = { what: "reactivate", path: "next_delivery_date" };
  const options = { alongside, takesPlace, moves: pathOf(requested) };
  return changeSubscription(ctx, id, options, (view, found) => {
    const { row } = view;
    if (requested) requireDeliverable(requested, calendarOf(view), "next_delivery_date");
    if (isReached("reactivate", row)) {
      requireSame("reactivate", row, requested);
      return undefined;
    }
    return reactivationDecision(ctx, view, found, requested);
  });
}

/** The request's field for a date, where it has one. */
function pathOf(requested: CalendarDate | undefined): string | undefined {
  return requested && "next_delivery_date";
}

/** The statements of what a reactivation depends on besides the subscription. */
function readForReactivation(ctx: Ctx, id: string) {
  return { holder: selectOtherWithSourceRef(ctx, id), recent: selectAttemptsOfHour(ctx, id) };
}

/** The decision to reactivate: the next delivery is on the requested date, else on the first of the schedule from tomorrow on. */
function reactivationDecision(
  ctx: Ctx,
  view: SubscriptionView,
  { holder, recent }: RowsBy<ReturnType<typeof readForReactivation>>,
  requested: CalendarDate | undefined,
): Part {
  const { row, profileDeletedAt, today } = view;
  requireAllowed("reactivate", row);
  if (profileDeletedAt !== null) throw invalidState("reactivate: the profile is deleted", row);
  if (isUnderReview(row)) throw underReview(row);
  requireFreeSourceRef(ctx, "reactivate", holder);
  const dates = datesAfterReactivation(row, calendarOf(view), requested);
  if (isBilledBy(dates, today)) requireBelowHourlyLimit(ctx, recent);
  return {
    entry: { action: "subscription_reactivated" },
    columns: {
      status: "ACTIVE",
      ...uncancelled,
      dunning_episode_id: null,
      activation: row.activation + 1,
      ...(ctx.store.contracts ? unlinked(row) : {}),
      current_billing_cycle: 1,
      ...dates,
    },
    writes: guardSourceRef(ctx, row),
  };
}

const uncancelled = { cancelled_at: null, cancellation_reason: null, cancellation_reason_id: null };

/** The contract is kept in mind until another one is linked: it may not have ended at the store yet. */
function unlinked({ store_contract_id, former_contract_id }: Subscription) {
  return { store_contract_id: null, former_contract_id: store_contract_id ?? former_contract_id };
}

/** Whether the first charge comes at once: a reactivation for today lets somebody try a card, as ship-now does. */
function isBilledBy({ next_billing_date }: NextDates, today: CalendarDate): boolean {
  return next_billing_date !== null && next_billing_date <= today;
}

function underReview({ status }: Subscription): DomainError {
  const message = `Cannot reactivate: the subscription is ${status}, and its last billing attempt is under review`;
  return new DomainError("INVALID_STATE", message);
}

/** The subscription is active already: a date in the request must be that of its next delivery. */
function requireSame(what: string, row: Subscription, requested: CalendarDate | undefined): void {
  if (requested !== undefined && requested !== row.next_delivery_date) throw invalidState(what, row);
}
