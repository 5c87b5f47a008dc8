import type { CalendarDate } from "../../../base/lib/time/dates.ts";
import type { Ctx } from "../../../kit/context.ts";
import type { SlotWithDay } from "../../delivery/queries.ts";
import { isOver, over } from "../lifecycle.ts";
import type { Part } from "../part.ts";
import type { SubscriptionView } from "../queries.ts";
import type { Subscription } from "../tables.ts";
import { anchorFrom, isOfMonths } from "./anchor.ts";
import { calculateDates, deliveryOf } from "./cadence.ts";
import { type Calendar, calendarOf } from "./calendar.ts";
import { unmoved } from "./next-dates.ts";
import { datesBySchedule, moveToOpenDays } from "./open-dates.ts";
import {
  continueSchedule,
  datesInSlot,
  deliveriesOwed,
  type NextDates,
  nextAfter,
  nextBillingDate,
  restartSchedule,
  scheduleOf,
  todayOf,
} from "./schedule.ts";
import { dayOfSingleMove, ownDay } from "./single-move.ts";

/**
 * Settles the deliveries that a cancelled subscription owes, as the account's prepaid_on_end says. Either they are still
 * made: they keep their dates, or start from tomorrow after a pause. Or they lapse, and the entry says how many.
 */
export function settleOwedOnCancel(ctx: Ctx, row: Subscription, slot?: SlotWithDay): Part {
  const { prepaid_on_end } = ctx.account;
  const owed = deliveriesOwed(row);
  if (owed === 0) return { columns: over, metadata: {} };
  const metadata = { deliveries_owed: owed, prepaid_on_end };
  if (prepaid_on_end === "stop") return { columns: { ...over, next_billed_index: row.next_index }, metadata };
  const dates = row.status === "PAUSED" ? restartSchedule(row, calendarOf(ctx, slot), todayOf(ctx)) : {};
  return { columns: { ...dates, next_billing_date: null, dunning_episode_id: null }, metadata };
}

/** The deliveries that a charge has paid for, the first of which is its own order. */
type Paid = { deliveries: number; delivery_date: CalendarDate; isOffSchedule: boolean };

/**
 * Credits the further deliveries of a charge that is recorded after its subscription was cancelled. They come after those
 * that are owed already, and before the next billing of a reactivated subscription; or they lapse, as prepaid_on_end says.
 */
export function creditLateCharge(
  ctx: Pick<Ctx, "now" | "account">,
  { row, slot }: Pick<SubscriptionView, "row" | "slot">,
  { deliveries, delivery_date, isOffSchedule }: Paid,
): Part {
  const { prepaid_on_end } = ctx.account;
  const more = deliveries - 1;
  if (more === 0) return { columns: {}, metadata: {} };
  const metadata = { deliveries_owed: more, prepaid_on_end };
  if (prepaid_on_end === "stop") return { columns: {}, metadata };
  const today = todayOf(ctx);
  const calendar = calendarOf(ctx, slot);
  const owed = deliveriesOwed(row) + more;
  if (isOver(row) && owed === more)
    return {
      columns: nextAfter(row, calendar, { delivery: delivery_date, owed, isOffSchedule }, today),
      metadata,
    };
  const isFree = calendar.closed.length === 0;
  const planned = isFree ? row : { ...row, ...datesBySchedule(row, calendar) };
  const next_billed_index = planned.next_index + owed;
  const next_billing_date = nextBillingDate({ ...planned, next_billed_index }, slot, today);
  const credited = { next_billed_index, next_billing_date };
  return {
    columns: isFree ? credited : moveToOpenDays({ ...planned, ...credited }, calendar, today),
    metadata,
  };
}

/**
 * The dates after a change of the intervals. The next dates stay, later ones follow, and owed deliveries stay owed. Those that follow a delivery
 * that was moved alone are counted from its own day.
 */
export function reanchorSchedule(
  { row, intervals }: { row: Subscription; intervals: Partial<Subscription> },
  calendar: Calendar,
  today: CalendarDate,
): Partial<NextDates> {
  if (row.next_delivery_date === null) return {};
  const planned = plannedDelivery(row, row.next_delivery_date, calendar);
  const own = ownDayToKeep({ ...row, next_delivery_date: planned, ...unmoved }, intervals, calendar);
  const dates = own
    ? datesInSlot(countedFrom(row, { own, planned, intervals }, calendar), planned, calendar)
    : continueSchedule(row, planned, calendar, today, intervals);
  const owed = deliveriesOwed(row);
  // The dates stay where closed days have moved them, and can be put back.
  const isMoved = row.scheduled_delivery_date !== null && !isAsPlanned(row, planned, calendar);
  const hasMovedBilling = owed > 0 && dates.scheduled_delivery_date !== null;
  return {
    anchor_date: dates.anchor_date,
    anchor_day: dates.anchor_day,
    next_index: 0,
    next_billed_index: owed,
    ...(isMoved || hasMovedBilling ? { scheduled_index: 0, scheduled_delivery_date: planned } : unmoved),
    ...(owed === 0 ? {} : { next_billing_date: dates.next_billing_date }),
  };
}

/**
 * The own day of a delivery that was moved alone, from which later ones are still counted: always in months and years, whose day of the month it
 * keeps; in days and weeks where the delivery comes before the next one by the new interval.
 */
function ownDayToKeep(
  row: Subscription,
  intervals: Partial<Subscription>,
  { slot }: Calendar,
): CalendarDate | undefined {
  const moved = dayOfSingleMove(row, slot);
  const changed = { ...row, ...intervals };
  if (moved === undefined || isOfMonths(row) !== isOfMonths(changed)) return undefined;
  const own = ownDay(row, slot);
  const isKept = isOfMonths(row) || moved < deliveryOf(scheduleOf({ ...changed, anchor_date: own }, slot), 1);
  return isKept ? own : undefined;
}

function countedFrom(
  row: Subscription,
  { own, planned, intervals }: { own: CalendarDate; planned: CalendarDate; intervals: Partial<Subscription> },
  { slot }: Calendar,
): Subscription {
  return {
    ...row,
    ...intervals,
    ...anchorFrom(row, own, slot, intervals),
    next_index: 0,
    next_billed_index: deliveriesOwed(row),
    next_delivery_date: planned,
    ...unmoved,
  };
}

/** Whether the next dates are those of a delivery on this day, of which closed days have moved none. */
function isAsPlanned(row: Subscription, delivery: CalendarDate, { slot, today }: Calendar): boolean {
  const { production, billing } = calculateDates(delivery, slot?.day, today);
  const isBilled = deliveriesOwed(row) === 0 && row.next_billing_date !== null;
  return (
    row.next_delivery_date === delivery &&
    row.next_production_date === production &&
    (!isBilled || row.next_billing_date === billing)
  );
}

/** The day that the schedule gives the next delivery, which closed days may have moved. */
function plannedDelivery(row: Subscription, stored: CalendarDate, { slot }: Calendar): CalendarDate {
  if (!row.scheduled_delivery_date) return stored;
  if (row.scheduled_index === row.next_index) return row.scheduled_delivery_date;
  return deliveryOf(scheduleOf(row, slot), row.next_index);
}
