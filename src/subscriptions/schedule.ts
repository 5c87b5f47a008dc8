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

/** How many deliveries one billing covers: 1, or more for prepaid plans. */
export const deliveriesPerBilling = (
  row: Pick<
    Subscription,
    "billing_interval" | "billing_interval_count" | "delivery_interval" | "delivery_interval_count"
  >,
): number =>
  timesWithin(
    { unit: row.billing_interval, count: row.billing_interval_count },
    { unit: row.delivery_interval, count: row.delivery_interval_count },
  ) ?? 1;

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
export const deliveryDateIn = (ctx: Ctx, text: string, place: PlacedSlot | undefined): CalendarDate => {
  const date = dateFrom(ctx, text, todayOf(ctx));
  requireOnSlotDay(date, place, "next_delivery_date");
  return date;
};

export const requireOnSlotDay = (date: CalendarDate, place: PlacedSlot | undefined, path: string): void => {
  if (place && dayOfWeek(date) !== place.day.day_of_week)
    throw invalid([{ path, message: "must be on the delivery slot's day of the week" }]);
};

const columnsOf = ({ delivery, production, billing }: CycleDates) => ({
  next_delivery_date: delivery,
  next_production_date: production,
  next_billing_date: billing,
});

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
 * A schedule that goes on from this delivery. Deliveries that a prepaid period still owes come before the next that
 * is billed, as they did.
 */
export const goingOnFrom = (
  row: Subscription,
  delivery: CalendarDate,
  place: PlacedSlot | undefined,
  earliest: CalendarDate,
): NextDates => {
  const dates = startingOn(delivery, place, earliest);
  const owed = row.next_billed_index - row.next_index;
  if (owed === 0) return dates;
  const { anchor, interval, rhythm } = scheduleOf({ ...row, anchor_date: delivery }, place);
  const { billing } = datesOf(nthDelivery(anchor, interval, owed, rhythm), rhythm, earliest);
  return { ...dates, next_billed_index: owed, next_billing_date: billing };
};

/** What a subscription has planned already, if it is billed from tomorrow on. */
const plannedFrom = (row: Subscription, tomorrow: CalendarDate): boolean =>
  row.next_billing_date !== null &&
  row.next_delivery_date !== null &&
  row.next_billing_date >= tomorrow &&
  row.next_delivery_date >= tomorrow;

/**
 * The first cycle from tomorrow on: nothing is charged at once (DECISIONS §5, resume). What is planned for then
 * stays; deliveries that a prepaid period still owes are made before the next is billed.
 */
export const restartingFrom = (
  row: Subscription,
  place: PlacedSlot | undefined,
  today: CalendarDate,
): Partial<NextDates> => {
  const tomorrow = addDays(today, 1);
  if (plannedFrom(row, tomorrow)) return {};
  const schedule = scheduleOf(row, place);
  const { index, delivery } = firstBilledFrom(schedule, row.next_index, tomorrow);
  const owed = row.next_billed_index - row.next_index;
  const billedDelivery = nthDelivery(schedule.anchor, schedule.interval, index + owed, place?.day);
  return {
    next_index: index,
    next_billed_index: index + owed,
    ...columnsOf(datesOf(delivery, place?.day, tomorrow)),
    next_billing_date: datesOf(billedDelivery, place?.day, tomorrow).billing,
  };
};
