import { invalid } from "../../base/errors.ts";
import { type CalendarDate, dateIn, parseDate } from "../../base/lib/dates.ts";
import { timesWithin } from "../../base/lib/intervals.ts";
import type { Ctx } from "../../kit/context.ts";
import type { SlotWithDay } from "../delivery/queries.ts";
import {
  addDays,
  type CycleDates,
  calculateDates,
  calculatePlannedDates,
  dayOfWeek,
  firstBilledFrom,
  nthDelivery,
  type Schedule,
} from "./cadence.ts";
import { isBeyondLastCycle, isOver } from "./lifecycle.ts";
import type { Subscription } from "./tables.ts";

/** Today in the account's time zone, by the account's clock. */
export function todayOf({ now, account }: Pick<Ctx, "now" | "account">): CalendarDate {
  return dateIn(now, account.timezone);
}

type Deliveries = Pick<Subscription, "anchor_date" | "delivery_interval" | "delivery_interval_count">;

/** The columns that hold a subscription's schedule and next dates. */
export type NextDates = Pick<
  Subscription,
  | "anchor_date"
  | "next_index"
  | "next_billed_index"
  | "next_billing_date"
  | "next_delivery_date"
  | "next_production_date"
>;

export function scheduleOf(row: Deliveries, slot: SlotWithDay | undefined): Schedule {
  return {
    anchor: row.anchor_date,
    interval: { unit: row.delivery_interval, count: row.delivery_interval_count },
    rhythm: slot?.day,
  };
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

/** The number of deliveries that are paid for and not made yet. */
export function deliveriesOwed(row: Pick<Subscription, "next_index" | "next_billed_index">): number {
  return row.next_billed_index - row.next_index;
}

/** Dates after the year 9999 start with a sign, so they do not compare as text. */
export function isWithinCalendar(date: CalendarDate): boolean {
  return !date.startsWith("+") && date <= lastDate;
}

export function requireWithinCalendar(date: CalendarDate, path: string): void {
  if (!isWithinCalendar(date)) throw invalid([{ path, message: `must not be after ${lastDate}` }]);
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
  requireWithinCalendar(date, path);
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
  requireOnSlotDay(date, slot, path);
  return date;
}

export function requireOnSlotDay(date: CalendarDate, slot: SlotWithDay | undefined, path: string): void {
  if (slot && dayOfWeek(date) !== slot.day.day_of_week)
    throw invalid([{ path, message: "must be on the delivery slot's day of the week" }]);
}

/** A schedule that starts with this delivery. None of its dates is before `earliest`. */
export function startSchedule(
  delivery: CalendarDate,
  slot: SlotWithDay | undefined,
  earliest: CalendarDate,
): NextDates {
  return {
    anchor_date: delivery,
    next_index: 0,
    next_billed_index: 0,
    ...columnsOf(calculateDates(delivery, slot?.day, earliest)),
  };
}

/**
 * The date on which the first unpaid delivery is billed. There is none after the last cycle, or once the subscription has
 * ended, though deliveries that are paid for may still be made.
 */
export function nextBillingDate(
  row: Subscription,
  slot: SlotWithDay | undefined,
  earliest: CalendarDate,
): CalendarDate | null {
  if (isBeyondLastCycle(row) || isOver(row)) return null;
  const { anchor, interval, rhythm } = scheduleOf(row, slot);
  return calculateDates(nthDelivery(anchor, interval, row.next_billed_index, rhythm), rhythm, earliest)
    .billing;
}

/**
 * The dates once the next deliveries, so many of them, have fallen away. The anchor stays, and with it the day of the month. What is owed
 * stays owed: a paid period lasts as many deliveries longer.
 */
export function datesAfterSkipping(
  row: Subscription,
  slot: SlotWithDay | undefined,
  deliveries: number,
  today: CalendarDate,
): NextDates {
  const owed = deliveriesOwed(row);
  let at = row;
  for (let n = 0; n < deliveries; n++) {
    const day = orderedOn(at, today);
    const delivery = deliveryFrom(at, slot, day).delivery_date;
    at = { ...at, ...nextAfter(at, slot, { delivery, owed, isOffSchedule: false }, day) };
  }
  return nextDatesOf(at);
}

/** A schedule that is counted from this delivery on. Owed deliveries are still made before the next billing. */
export function continueSchedule(
  row: Subscription,
  delivery: CalendarDate,
  slot: SlotWithDay | undefined,
  earliest: CalendarDate,
): NextDates {
  return scheduleAt(
    { ...row, anchor_date: delivery },
    slot,
    { index: 0, owed: deliveriesOwed(row) },
    earliest,
  );
}

/**
 * The dates of the first cycle from tomorrow on, so that nothing is charged today
 * (docs/decisions.md#5-subscriptions-and-their-history). Dates that are planned for then stay. Owed deliveries of a prepaid
 * period are made before the next billing.
 */
export function restartSchedule(
  row: Subscription,
  slot: SlotWithDay | undefined,
  today: CalendarDate,
): Partial<NextDates> {
  const tomorrow = addDays(today, 1);
  if (isPlannedFrom(row, tomorrow)) return {};
  const { index } = firstBilledFrom(scheduleOf(row, slot), row.next_index, tomorrow);
  return scheduleAt(row, slot, { index, owed: deliveriesOwed(row) }, tomorrow);
}

/** The earliest possible delivery: today, or the slot's first day that leaves time for packing and the courier. */
export function earliestDelivery(slot: SlotWithDay | undefined, today: CalendarDate): CalendarDate {
  if (!slot) return today;
  const { day_of_week: weekday, courier_lead_time_days: lead } = slot.day;
  let delivery = addDays(today, lead ?? 0);
  delivery = addDays(delivery, (weekday - dayOfWeek(delivery) + 7) % 7);
  const packed = (date: CalendarDate) => calculatePlannedDates(date, slot.day).production ?? date;
  while (packed(delivery) < today) delivery = addDays(delivery, 7);
  return delivery;
}

/**
 * The planned delivery, or the earliest possible one where the planned day has passed. A delivery that should have been packed
 * before is packed today.
 */
export function deliveryFrom(
  {
    next_delivery_date: planned,
    next_production_date,
  }: Pick<Subscription, "next_delivery_date" | "next_production_date">,
  slot: SlotWithDay | undefined,
  today: CalendarDate,
): { delivery_date: CalendarDate; production_date: CalendarDate | null } {
  if (planned !== null && planned >= today) {
    const isLate = next_production_date !== null && next_production_date < today;
    return { delivery_date: planned, production_date: isLate ? today : next_production_date };
  }
  const delivery_date = earliestDelivery(slot, today);
  return { delivery_date, production_date: calculateDates(delivery_date, slot?.day, today).production };
}

/**
 * The dates after a delivery: those of the next possible delivery, billed from tomorrow on. Missed deliveries are left out.
 * After a delivery off the schedule, the schedule is counted from that delivery's date.
 */
export function nextAfter(
  row: Subscription,
  slot: SlotWithDay | undefined,
  { delivery, owed, isOffSchedule }: LastDelivery,
  today: CalendarDate,
): NextDates {
  const tomorrow = addDays(today, 1);
  const earliest = earliestDelivery(slot, tomorrow);
  const counting = isOffSchedule ? { ...row, anchor_date: delivery } : row;
  const { anchor, interval, rhythm } = scheduleOf(counting, slot);
  const nth = (n: number): CalendarDate => nthDelivery(anchor, interval, n, rhythm);
  let index = isOffSchedule ? 1 : row.next_index + 1;
  while (nth(index) <= delivery || nth(index) < earliest) index++;
  return scheduleAt(counting, slot, { index, owed }, tomorrow);
}

/** The last date of a schedule. Dates computed from it still have four-digit years. */
const lastDate: CalendarDate = "9000-12-31";

/** A delivery just made, and the number of paid deliveries that follow before the next billing. */
type LastDelivery = { delivery: CalendarDate; owed: number; isOffSchedule: boolean };

/** Whether the planned delivery is from tomorrow on, and so is its billing. */
function isPlannedFrom(row: Subscription, tomorrow: CalendarDate): boolean {
  return (
    row.next_delivery_date !== null &&
    row.next_delivery_date >= tomorrow &&
    (row.next_billing_date ?? row.next_delivery_date) >= tomorrow
  );
}

/** The dates of a schedule whose next delivery is the n-th. Owed deliveries come first, then the next is billed. */
function scheduleAt(
  row: Subscription,
  slot: SlotWithDay | undefined,
  { index, owed }: { index: number; owed: number },
  earliest: CalendarDate,
): NextDates {
  const { anchor, interval, rhythm } = scheduleOf(row, slot);
  const next_billed_index = index + owed;
  return {
    anchor_date: anchor,
    next_index: index,
    next_billed_index,
    ...columnsOf(calculateDates(nthDelivery(anchor, interval, index, rhythm), rhythm, earliest)),
    next_billing_date: nextBillingDate({ ...row, next_billed_index }, slot, earliest),
  };
}

/** The day on which the next delivery would be ordered: charged, or packed where it is paid for. */
function orderedOn(row: Subscription, today: CalendarDate): CalendarDate {
  const packed = row.next_production_date ?? row.next_delivery_date;
  const planned = deliveriesOwed(row) > 0 ? packed : row.next_billing_date;
  return planned !== null && planned > today ? planned : today;
}

function nextDatesOf(row: NextDates): NextDates {
  const { anchor_date, next_index, next_billed_index } = row;
  const { next_billing_date, next_delivery_date, next_production_date } = row;
  return {
    anchor_date,
    next_index,
    next_billed_index,
    next_billing_date,
    next_delivery_date,
    next_production_date,
  };
}

function columnsOf({ delivery, production, billing }: CycleDates) {
  return {
    next_delivery_date: delivery,
    next_production_date: production,
    next_billing_date: billing,
  };
}
