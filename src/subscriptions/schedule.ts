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

/** A date in a body, in the account's calendar, that may be a next delivery. Throws VALIDATION_FAILED. */
export const deliveryDateIn = (
  ctx: Ctx,
  text: string,
  place: PlacedSlot | undefined,
  path = "next_delivery_date",
): CalendarDate => {
  const date = parseDate(text, ctx.account.timezone) ?? "";
  if (date < todayOf(ctx)) throw invalid([{ path, message: "must not be in the past" }]);
  requireOnSlotDay(date, place, path);
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

/** The first delivery that is billed from tomorrow on: nothing is charged at once (DECISIONS §5, resume). */
export const restartingFrom = (
  row: Subscription,
  place: PlacedSlot | undefined,
  today: CalendarDate,
): NextDates => {
  const tomorrow = addDays(today, 1);
  const schedule = scheduleOf(row, place);
  const { index, delivery } = firstBilledFrom(schedule, row.next_index, tomorrow);
  const next_billed_index = Math.max(row.next_billed_index, index);
  const billed = datesOf(
    nthDelivery(schedule.anchor, schedule.interval, next_billed_index, place?.day),
    place?.day,
    tomorrow,
  );
  return {
    anchor_date: row.anchor_date,
    next_index: index,
    next_billed_index,
    ...columnsOf(datesOf(delivery, place?.day, tomorrow)),
    next_billing_date: billed.billing,
  };
};
