import type { Ctx } from "../context.ts";
import type { PlacedSlot } from "../delivery/queries.ts";
import { invalid } from "../errors.ts";
import { type CalendarDate, dateIn, parseDate } from "../lib/dates.ts";
import { timesWithin } from "../lib/intervals.ts";
import {
  addDays,
  type CycleDates,
  datesOf,
  dayOfWeek,
  firstBilledFrom,
  nthDelivery,
  type Schedule,
} from "./cadence.ts";
import { isBeyondLastCycle, isOver } from "./lifecycle.ts";
import type { Subscription } from "./tables.ts";

/** Today in the account's time zone, by the account's clock. */
export const todayOf = ({ now, account }: Ctx): CalendarDate => dateIn(now, account.timezone);

type Deliveries = Pick<Subscription, "anchor_date" | "delivery_interval" | "delivery_interval_count">;

/** The columns of a subscription that its dates make up. */
export type NextDates = Pick<
  Subscription,
  | "anchor_date"
  | "next_index"
  | "next_billed_index"
  | "next_billing_date"
  | "next_delivery_date"
  | "next_production_date"
>;

export const scheduleOf = (row: Deliveries, place: PlacedSlot | undefined): Schedule => ({
  anchor: row.anchor_date,
  interval: { unit: row.delivery_interval, count: row.delivery_interval_count },
  rhythm: place?.day,
});

/** How many deliveries one billing pays for by a plan's intervals: 1, or more for prepaid plans. */
export const deliveriesPerBilling = (
  plan: Pick<
    Subscription,
    "billing_interval" | "billing_interval_count" | "delivery_interval" | "delivery_interval_count"
  >,
): number =>
  timesWithin(
    { unit: plan.billing_interval, count: plan.billing_interval_count },
    { unit: plan.delivery_interval, count: plan.delivery_interval_count },
  ) ?? 1;

/** How many deliveries are paid for and still to be made, before the next one is billed. */
export const deliveriesOwed = (row: Pick<Subscription, "next_index" | "next_billed_index">): number =>
  row.next_billed_index - row.next_index;

/** As far as schedules go: dates computed from it still have years of four digits. */
const lastDate: CalendarDate = "9000-12-31";

/** Dates past the year 9999 are written with a sign, and do not compare as text. */
export const isWithinCalendar = (date: CalendarDate): boolean => !date.startsWith("+") && date <= lastDate;

export const requireWithinCalendar = (date: CalendarDate, path: string): void => {
  if (!isWithinCalendar(date)) throw invalid([{ path, message: `must not be after ${lastDate}` }]);
};

/** A date in a body, in the account's calendar, from `earliest` on. Throws VALIDATION_FAILED. */
export const dateFrom = (
  ctx: Ctx,
  text: string,
  earliest: CalendarDate,
  path = "next_delivery_date",
): CalendarDate => {
  const date = parseDate(text, ctx.account.timezone) ?? "";
  if (date < earliest)
    throw invalid([
      {
        path,
        message: earliest === todayOf(ctx) ? "must not be in the past" : `must be from ${earliest} on`,
      },
    ]);
  requireWithinCalendar(date, path);
  return date;
};

/** A date in a body that may be a next delivery in this slot. Throws VALIDATION_FAILED. */
export const deliveryDateIn = (
  ctx: Ctx,
  text: string,
  place: PlacedSlot | undefined,
  path = "next_delivery_date",
): CalendarDate => {
  const date = dateFrom(ctx, text, todayOf(ctx), path);
  requireOnSlotDay(date, place, path);
  return date;
};

export const requireOnSlotDay = (date: CalendarDate, place: PlacedSlot | undefined, path: string): void => {
  if (place && dayOfWeek(date) !== place.day.day_of_week)
    throw invalid([{ path, message: "must be on the delivery slot's day of the week" }]);
};

/** A schedule that begins with this delivery; nothing of it lies before `earliest`. */
export const startingOn = (
  delivery: CalendarDate,
  place: PlacedSlot | undefined,
  earliest: CalendarDate,
): NextDates => ({
  anchor_date: delivery,
  next_index: 0,
  next_billed_index: 0,
  ...columnsOf(datesOf(delivery, place?.day, earliest)),
});

/**
 * When the first delivery that is not paid for is billed. None is planned once the last has been billed, or the
 * subscription is over, though deliveries that are paid for may still come.
 */
export const nextBillingDate = (
  row: Subscription,
  place: PlacedSlot | undefined,
  earliest: CalendarDate,
): CalendarDate | null => {
  if (isBeyondLastCycle(row) || isOver(row)) return null;
  const { anchor, interval, rhythm } = scheduleOf(row, place);
  return datesOf(nthDelivery(anchor, interval, row.next_billed_index, rhythm), rhythm, earliest).billing;
};

/** A schedule that counts anew from this delivery; what is owed is still made before the next is billed. */
export const goingOnFrom = (
  row: Subscription,
  delivery: CalendarDate,
  place: PlacedSlot | undefined,
  earliest: CalendarDate,
): NextDates =>
  standingAt({ ...row, anchor_date: delivery }, place, { index: 0, owed: deliveriesOwed(row) }, earliest);

/**
 * The first cycle from tomorrow on: nothing is charged at once (docs/decisions.md#5-subscriptions-and-their-history). What is planned for then
 * stays; deliveries that a prepaid period still owes are made before the next is billed.
 */
export const restartingFrom = (
  row: Subscription,
  place: PlacedSlot | undefined,
  today: CalendarDate,
): Partial<NextDates> => {
  const tomorrow = addDays(today, 1);
  if (plannedFrom(row, tomorrow)) return {};
  const { index } = firstBilledFrom(scheduleOf(row, place), row.next_index, tomorrow);
  return standingAt(row, place, { index, owed: deliveriesOwed(row) }, tomorrow);
};

/** The earliest delivery that can still be made: today, or the slot's first day that leaves time to pack and send. */
export const earliestDelivery = (place: PlacedSlot | undefined, today: CalendarDate): CalendarDate => {
  if (!place) return today;
  const { day_of_week: weekday, courier_lead_time_days: lead } = place.day;
  let delivery = addDays(today, lead ?? 0);
  delivery = addDays(delivery, (weekday - dayOfWeek(delivery) + 7) % 7);
  const packed = (date: CalendarDate) => datesOf(date, place.day, "0000-01-01").production ?? date;
  while (packed(delivery) < today) delivery = addDays(delivery, 7);
  return delivery;
};

/** The delivery that is planned; where its day has passed, the earliest that can still be made. */
export const deliveryFrom = (
  {
    next_delivery_date: planned,
    next_production_date,
  }: Pick<Subscription, "next_delivery_date" | "next_production_date">,
  place: PlacedSlot | undefined,
  today: CalendarDate,
): { delivery_date: CalendarDate; production_date: CalendarDate | null } => {
  if (planned !== null && planned >= today)
    return { delivery_date: planned, production_date: next_production_date };
  const delivery_date = earliestDelivery(place, today);
  return { delivery_date, production_date: datesOf(delivery_date, place?.day, today).production };
};

/** A delivery just made, and how many that are paid for still come before the next one is billed. */
type Made = { delivery: CalendarDate; owed: number; isOffSchedule: boolean };

/**
 * Where the schedule stands after a delivery: at the next one that can still be made, billed from tomorrow on. What was
 * missed is not made up for. After a delivery off the schedule it counts from that delivery's date.
 */
export const nextAfter = (
  row: Subscription,
  place: PlacedSlot | undefined,
  { delivery, owed, isOffSchedule }: Made,
  today: CalendarDate,
): NextDates => {
  const tomorrow = addDays(today, 1);
  const earliest = earliestDelivery(place, tomorrow);
  const counting = isOffSchedule ? { ...row, anchor_date: delivery } : row;
  const { anchor, interval, rhythm } = scheduleOf(counting, place);
  const nth = (n: number): CalendarDate => nthDelivery(anchor, interval, n, rhythm);
  let index = isOffSchedule ? 1 : row.next_index + 1;
  while (nth(index) <= delivery || nth(index) < earliest) index++;
  return standingAt(counting, place, { index, owed }, tomorrow);
};

/** What a subscription has planned already, if it is billed from tomorrow on. */
function plannedFrom(row: Subscription, tomorrow: CalendarDate): boolean {
  return (
    row.next_delivery_date !== null &&
    row.next_delivery_date >= tomorrow &&
    (row.next_billing_date ?? row.next_delivery_date) >= tomorrow
  );
}

/** A schedule that stands at its n-th delivery: what is owed comes first, then the next is billed. */
function standingAt(
  row: Subscription,
  place: PlacedSlot | undefined,
  { index, owed }: { index: number; owed: number },
  earliest: CalendarDate,
): NextDates {
  const { anchor, interval, rhythm } = scheduleOf(row, place);
  const next_billed_index = index + owed;
  return {
    anchor_date: anchor,
    next_index: index,
    next_billed_index,
    ...columnsOf(datesOf(nthDelivery(anchor, interval, index, rhythm), rhythm, earliest)),
    next_billing_date: nextBillingDate({ ...row, next_billed_index }, place, earliest),
  };
}

function columnsOf({ delivery, production, billing }: CycleDates) {
  return {
    next_delivery_date: delivery,
    next_production_date: production,
    next_billing_date: billing,
  };
}
