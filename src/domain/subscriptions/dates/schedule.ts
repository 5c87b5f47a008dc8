import { invalid } from "../../../base/errors.ts";
import { laterOf, toDay } from "../../../base/lib/time/calendar.ts";
import { type CalendarDate, dateIn, parseDate } from "../../../base/lib/time/dates.ts";
import { timesWithin } from "../../../base/lib/time/intervals.ts";
import type { Ctx } from "../../../kit/context.ts";
import { requireNotTooFar } from "../../../kit/days.ts";
import type { SlotWithDay } from "../../delivery/queries.ts";
import { isBeyondLastCycle, isOver } from "../lifecycle.ts";
import type { Subscription } from "../tables.ts";
import { anchorFrom } from "./anchor.ts";
import { addDays, calculateDates, deliveryOf, earliestPlanned, lastUntil } from "./cadence.ts";
import { type Calendar, calendarOf } from "./calendar.ts";
import {
  earliestDelivery,
  firstOpen,
  isOpenOn,
  packingDate,
  requireDeliverable,
} from "./earliest-delivery.ts";
import { indexesToCome } from "./indexes-to-come.ts";
import { columnsOf, deliveriesOwed, type NextDates, nextDatesOf, scheduleOf, unmoved } from "./next-dates.ts";
import { chargeableFrom } from "./no-charge-before.ts";
import { datesBySchedule, moveToOpenDays, openDatesOf } from "./open-dates.ts";

export { deliveriesOwed, type NextDates, scheduleOf } from "./next-dates.ts";

/** Today in the account's time zone, by the account's clock. */
export function todayOf({ now, account }: Pick<Ctx, "now" | "account">): CalendarDate {
  return dateIn(now, account.timezone);
}

/** How many deliveries one billing pays for: 1, or more for prepaid plans. */
export function deliveriesPerBilling(
  plan: Pick<
    Subscription,
    "billing_interval" | "billing_interval_count" | "delivery_interval" | "delivery_interval_count"
  >,
): number {
  return (
    timesWithin(
      { unit: plan.billing_interval, count: plan.billing_interval_count },
      { unit: plan.delivery_interval, count: plan.delivery_interval_count },
    ) ?? 1
  );
}

/** Dates after the year 9999 start with a sign, so they do not compare as text. */
export function isWithinCalendar(date: CalendarDate): boolean {
  return !date.startsWith("+");
}

/** A request's date in the account's time zone, `earliest` or later. Throws VALIDATION_FAILED. */
export function dateFrom(
  ctx: Ctx,
  text: string,
  earliest: CalendarDate,
  path = "next_delivery_date",
): CalendarDate {
  const date = parseDate(text, ctx.account.timezone);
  if (date === undefined || date < earliest)
    throw invalid([
      {
        path,
        message: earliest === todayOf(ctx) ? "must not be in the past" : `must be from ${earliest} on`,
      },
    ]);
  requireNotTooFar(ctx, date, path);
  return date;
}

/** A request's date for a next delivery in this slot. Throws VALIDATION_FAILED. */
export function deliveryDateIn(
  ctx: Ctx,
  text: string,
  slot: SlotWithDay | undefined,
  path = "next_delivery_date",
): CalendarDate {
  const date = dateFrom(ctx, text, todayOf(ctx), path);
  requireDeliverable(date, calendarOf(ctx, slot), path);
  return date;
}

/** A schedule that starts with this delivery, as it is before closed days. None of its dates is before `earliest`. */
export function startSchedule(
  delivery: CalendarDate,
  slot: SlotWithDay | undefined,
  earliest: CalendarDate,
): NextDates {
  return {
    anchor_date: delivery,
    anchor_day: null,
    next_index: 0,
    next_billed_index: 0,
    ...columnsOf(calculateDates(delivery, slot?.day, earliest)),
    ...unmoved,
  };
}

/**
 * The date on which the schedule bills the first unpaid delivery, which comes after those that are paid for, wherever closed days have left
 * these. There is none after the last cycle, or once the subscription has ended, though deliveries that are paid for may still be made.
 */
export function nextBillingDate(
  row: Subscription,
  slot: SlotWithDay | undefined,
  earliest: CalendarDate,
): CalendarDate | null {
  if (isBeyondLastCycle(row) || isOver(row)) return null;
  const schedule = scheduleOf(row, slot);
  const { next_index, next_delivery_date } = row;
  const next = next_delivery_date === null ? next_index : lastUntil(schedule, next_delivery_date, next_index);
  const billed = deliveryOf(schedule, next + deliveriesOwed(row));
  return calculateDates(billed, schedule.rhythm, earliest).billing;
}

/**
 * The dates once the next deliveries, so many of them, have fallen away. The anchor stays, and with it the day of the month. What is owed
 * stays owed: a paid period lasts as many deliveries longer.
 */
export function datesAfterSkipping(
  row: Subscription,
  calendar: Calendar,
  deliveries: number,
  today: CalendarDate,
): NextDates {
  const owed = deliveriesOwed(row);
  let at = row;
  for (let n = 0; n < deliveries; n++) {
    const day = orderedOn(at, today);
    const delivery = deliveryFrom(at, calendar, day).delivery_date;
    at = { ...at, ...nextAfter(at, calendar, { delivery, owed, isOffSchedule: false }, day) };
  }
  return nextDatesOf(at);
}

/** The dates of the delivery after the next one, once that is ordered on its day. */
export function deliveryAfterNext(row: Subscription, calendar: Calendar): NextDates {
  const owed = deliveriesOwed(row);
  const left = owed > 0 ? owed - 1 : row.deliveries_per_billing - 1;
  const day = orderedOn(row, calendar.today);
  const { delivery_date: delivery } = deliveryFrom(row, calendar, day);
  return nextAfter(row, calendar, { delivery, owed: left, isOffSchedule: false }, day);
}

/** The dates of a subscription whose next delivery is on this day in its slot, or in none: packed and charged accordingly. */
export function datesInSlot(row: Subscription, delivery: CalendarDate, calendar: Calendar): NextDates {
  const { slot, today } = calendar;
  const { production, billing } = calculateDates(delivery, slot?.day, today);
  const next_billing_date = deliveriesOwed(row) === 0 ? billing : nextBillingDate(row, slot, today);
  return moveToOpenDays({ ...row, next_production_date: production, next_billing_date }, calendar, today);
}

/**
 * A schedule that is counted from this delivery on, by new intervals if there are any. Owed deliveries are still made before the next
 * billing.
 */
export function continueSchedule(
  row: Subscription,
  delivery: CalendarDate,
  calendar: Calendar,
  earliest: CalendarDate,
  intervals: Partial<Subscription> = {},
): NextDates {
  return scheduleAt(
    { ...row, ...intervals, ...anchorFrom(row, delivery, calendar.slot, intervals) },
    calendar,
    { index: 0, owed: deliveriesOwed(row) },
    earliest,
  );
}

/**
 * The dates from tomorrow on, and from no_charge_before on, so that nothing is charged today (docs/decisions.md#5-subscriptions-and-their-history).
 * Dates that are planned for then stay. Of short billing intervals they are those of the first cycle from then on; of longer ones a delivery whose
 * day has passed comes on the first possible day, from which the schedule is counted. Owed deliveries of a prepaid period are made before the next
 * billing.
 */
export function restartSchedule(
  row: Subscription,
  calendar: Calendar,
  today: CalendarDate,
): Partial<NextDates> {
  const owed = deliveriesOwed(row);
  const first = owed > 0 ? addDays(today, 1) : chargeableFrom(row, today);
  if (isPlannedFrom(row, first)) return {};
  if (!isBilledOften(row))
    return continueSchedule(row, passedDelivery(row, calendar, first), calendar, first);
  const { index } = firstBilledAfter(row, calendar, addDays(first, -1));
  return scheduleAt(row, calendar, { index, owed }, first);
}

/**
 * The dates after a pause. A cycle that is owed, or whose charge is under way, keeps its own until that is paid: these are for the delivery that
 * it pays for.
 */
export function datesAfterPause(
  row: Subscription,
  calendar: Calendar,
  today: CalendarDate,
): Partial<NextDates> {
  const isOwed = row.dunning_episode_id !== null || (row.open_attempt_id !== null && !isBilledOften(row));
  return isOwed && deliveriesOwed(row) === 0 ? {} : restartSchedule(row, calendar, today);
}

/** Whether leaving a cycle out delays the next charge by a month at most. */
function isBilledOften({ billing_interval: unit, billing_interval_count: count }: Subscription): boolean {
  return count <= { DAY: 31, WEEK: 4, MONTH: 1, YEAR: 0 }[unit];
}

/** A delivery whose day has passed, or is too soon to be made from `first` on: on the first possible day. */
function passedDelivery(row: Subscription, calendar: Calendar, first: CalendarDate): CalendarDate {
  const planned = datesBySchedule(row, calendar).next_delivery_date;
  return laterOf(planned ?? first, earliestDelivery(calendar, first));
}

/** The first delivery of the schedule that is made and billed from tomorrow on, on the day that the schedule gives it. */
export function firstBilledAfter(
  row: Subscription,
  calendar: Calendar,
  today: CalendarDate,
): { index: number; delivery: CalendarDate } {
  const from = row.scheduled_index ?? row.next_index;
  const asked = { kind: "billing", from, day: toDay(today) + 1, isBilled: true } as const;
  const index = indexesToCome(row, calendar, asked).next().value;
  return { index, delivery: deliveryOf(scheduleOf(row, calendar.slot), index) };
}

/**
 * The planned delivery, or the earliest possible one where the planned day has passed, or has been closed since. A delivery that should have been packed
 * before is packed today, and one whose packing day has been closed since on another.
 */
export function deliveryFrom(
  {
    next_delivery_date: planned,
    next_production_date,
  }: Pick<Subscription, "next_delivery_date" | "next_production_date">,
  calendar: Calendar,
  today: CalendarDate,
): { delivery_date: CalendarDate; production_date: CalendarDate | null } {
  if (planned !== null && planned >= today && isOpenOn(calendar, "delivery", planned)) {
    const isLate = next_production_date !== null && next_production_date < today;
    const packed = isLate ? firstOpen(calendar, "production", { from: today, until: planned }) : undefined;
    if (isLate) return { delivery_date: planned, production_date: packed ?? today };
    const isPackable =
      next_production_date === null || isOpenOn(calendar, "production", next_production_date);
    const other = isPackable ? undefined : packingDate(calendar, planned, today);
    return { delivery_date: planned, production_date: other ?? next_production_date };
  }
  const delivery_date = earliestDelivery(calendar, planned !== null && planned >= today ? planned : today);
  return { delivery_date, production_date: packingDate(calendar, delivery_date, today) ?? null };
}

/**
 * The dates after a delivery: those of the next possible delivery, billed from tomorrow on. Missed deliveries are left out.
 * After a delivery off the schedule, the schedule is counted from that delivery's date.
 */
export function nextAfter(
  row: Subscription,
  calendar: Calendar,
  { delivery, owed, isOffSchedule }: LastDelivery,
  today: CalendarDate,
): NextDates {
  const tomorrow = addDays(today, 1);
  const counting = isOffSchedule ? { ...row, ...anchorFrom(row, delivery, calendar.slot) } : row;
  const schedule = scheduleOf(counting, calendar.slot);
  const due = Math.max(toDay(delivery) + 1, toDay(earliestPlanned(calendar.slot?.day, tomorrow)));
  const isFree = calendar.closed.length === 0;
  const isBilled = owed === 0;
  /** One that the schedule has in time may be moved to before `due`, and one that was put off to then may fall away. */
  const isPassed = (index: number): boolean => {
    const made = openDatesOf(counting, index, calendar, { earliest: tomorrow, isBilled });
    return toDay(made?.delivery ?? deliveryOf(schedule, index)) < due;
  };
  /** A delivery that closed days have put off can leave the next, or its charge, on a day that has passed. */
  const isBehind = ({ next_delivery_date: next, next_billing_date: billing }: NextDates): boolean =>
    next === null || toDay(next) < due || (billing !== null && toDay(billing) < toDay(tomorrow));
  const from = isOffSchedule ? 1 : row.next_index + 1;
  return indexesToCome(counting, calendar, { kind: "delivery", from, day: due, isBilled })
    .filter((index) => isFree || !isPassed(index))
    .map((index) => scheduleAt(counting, calendar, { index, owed }, tomorrow))
    .find((dates) => isFree || !isBehind(dates)) as NextDates;
}

/** A delivery just made, and the number of paid deliveries that follow before the next billing. */
type LastDelivery = { delivery: CalendarDate; owed: number; isOffSchedule: boolean };

/** Whether the planned delivery is from that day on, and so is its billing. */
function isPlannedFrom(row: Subscription, first: CalendarDate): boolean {
  return (
    row.next_delivery_date !== null &&
    row.next_delivery_date >= first &&
    (row.next_billing_date ?? row.next_delivery_date) >= first
  );
}

/** The dates of a schedule whose next delivery is the n-th. Owed deliveries come first, then the next is billed. */
function scheduleAt(
  row: Subscription,
  calendar: Calendar,
  { index, owed }: { index: number; owed: number },
  earliest: CalendarDate,
): NextDates {
  const schedule = scheduleOf(row, calendar.slot);
  const planned = {
    ...row,
    next_index: index,
    next_billed_index: index + owed,
    ...columnsOf(calculateDates(deliveryOf(schedule, index), schedule.rhythm, earliest)),
    ...unmoved,
  };
  const next_billing_date = nextBillingDate(planned, calendar.slot, earliest);
  return moveToOpenDays({ ...planned, next_billing_date }, calendar, earliest);
}

/** The day on which the next delivery would be ordered: charged, or packed where it is paid for. */
function orderedOn(row: Subscription, today: CalendarDate): CalendarDate {
  const packed = row.next_production_date ?? row.next_delivery_date;
  const planned = deliveriesOwed(row) > 0 ? packed : row.next_billing_date;
  return planned !== null && planned > today ? planned : today;
}
