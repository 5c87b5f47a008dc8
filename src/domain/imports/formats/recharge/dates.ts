import type { ErrorDetail } from "../../../../base/errors.ts";
import {
  addMonths,
  dayOfMonth,
  dayOfWeek,
  daysInMonth,
  toDate,
  toDay,
} from "../../../../base/lib/time/calendar.ts";
import { type CalendarDate, parseDate } from "../../../../base/lib/time/dates.ts";
import {
  type Interval,
  intervalFault,
  intervalUnits,
  timesWithin,
} from "../../../../base/lib/time/intervals.ts";
import { nthDelivery } from "../../../subscriptions/dates/index.ts";

/** The dates of a row, as it says them. The intervals are of the same unit. */
type RechargeDates = {
  unit: string | undefined;
  chargeCount: unknown;
  orderCount: unknown;
  /** The next charge, a calendar date. */
  next: string | undefined;
  isEnded: boolean;
  /** The date of a charge after which there was none, if the subscription has ended. */
  lastCharge: string | undefined;
  isPrepaid: boolean;
  dayOfMonth: { path: string; value: unknown };
  dayOfWeek: unknown;
};

type Asked = { chargeFrom: CalendarDate; isOwedSaid: boolean };
type Dated = {
  fields: Partial<Record<"anchor_date" | "anchor_day" | "prepaid_owed", string>>;
  faults: ErrorDetail[];
};

/**
 * The deliveries that are paid for and made from `chargeFrom` on, before the next charge, and the anchor of a schedule that keeps a day of the
 * month. Recharge sends what is due before that day itself.
 */
export function datesOf(row: RechargeDates, { chargeFrom, isOwedSaid }: Asked): Dated {
  const intervals = intervalsOf(row);
  if (!intervals) return nothing;
  const { charge, order, deliveries } = intervals;
  if (row.isPrepaid && deliveries === 1)
    return refused("is_prepaid", "is for a subscription that delivers several times for each charge");
  if (row.isEnded) return endedDates(row, { ...intervals, chargeFrom, isOwedSaid });
  const next = dateOf(row.next);
  if (next === undefined) return nothing;
  const dayFault = faultOfDay(row, next);
  if (dayFault) return { fields: {}, faults: [dayFault] };
  const owed = deliveries === 1 ? 0 : owedBefore(next, { order, deliveries, chargeFrom });
  const day = Number(row.dayOfMonth.value ?? 0) || dayOfMonth(next);
  const isCounted = owed > 0 || day !== dayOfMonth(next);
  return {
    fields: {
      ...(owed > 0 ? { prepaid_owed: String(owed) } : {}),
      ...(isCounted && isOfMonths(charge) ? anchorBefore(next, { order, day, owed }) : {}),
    },
    faults: [],
  };
}

const nothing: Dated = { fields: {}, faults: [] };

/** A subscription that has ended may still owe deliveries of its last charge, unless that was too long ago. */
function endedDates(
  { lastCharge }: RechargeDates,
  { charge, deliveries, chargeFrom, isOwedSaid }: Intervals & Asked,
): Dated {
  if (deliveries === 1 || isOwedSaid) return nothing;
  const last = dateOf(lastCharge);
  if (last !== undefined && nthDelivery(last, charge, 1, undefined) <= chargeFrom) return nothing;
  return refused("is_prepaid", "leaves open how many deliveries are owed: add prepaid_owed");
}

type Intervals = { charge: Interval; order: Interval; deliveries: number };

function intervalsOf({ unit: name, chargeCount, orderCount }: RechargeDates): Intervals | undefined {
  const unit = intervalUnits.find((known) => known === name);
  const [charges, orders] = [Number(chargeCount), Number(orderCount ?? chargeCount)];
  if (unit === undefined || !(charges >= 1) || !(orders >= 1)) return undefined;
  if (intervalFault(unit, charges) || intervalFault(unit, orders)) return undefined;
  const [charge, order] = [charges, orders].map((count): Interval => ({ unit, count })) as [
    Interval,
    Interval,
  ];
  const deliveries = timesWithin(charge, order);
  return deliveries === undefined ? undefined : { charge, order, deliveries };
}

function owedBefore(
  next: CalendarDate,
  { order, deliveries, chargeFrom }: Pick<Intervals, "order" | "deliveries"> & Pick<Asked, "chargeFrom">,
): number {
  let owed = 0;
  while (owed < deliveries - 1 && back(next, order, owed + 1) >= chargeFrom) owed++;
  return owed;
}

function back(date: CalendarDate, { unit, count }: Interval, times: number): CalendarDate {
  return nthDelivery(date, { unit, count: -count }, times, undefined);
}

/** The anchor of a schedule of this day of the month that leads to the next charge after `owed` deliveries. */
function anchorBefore(
  next: CalendarDate,
  { order, day, owed }: { order: Interval; day: number; owed: number },
): Dated["fields"] {
  const month = back(next, order, owed);
  const anchor = toDate(addMonths(toDay(month), 0, day));
  return { anchor_date: anchor, ...(dayOfMonth(anchor) === day ? {} : { anchor_day: String(day) }) };
}

/** A set day of the month or week decides on later charges. The next one has to be on it, or on the last day of a month that is too short. */
function faultOfDay(row: RechargeDates, next: CalendarDate): ErrorDetail | undefined {
  const [year = 0, month = 0, day = 0] = next.split("-").map(Number);
  const set = Number(row.dayOfMonth.value ?? 0);
  const isMonthly = row.unit === "MONTH" && set > 0;
  if (isMonthly && day !== Math.min(set, daysInMonth(year, month)))
    return { path: row.dayOfMonth.path, message: `is ${set}, and the next charge is on another day` };
  if (row.unit !== "WEEK" || row.dayOfWeek === null || row.dayOfWeek === undefined) return undefined;
  return Number(row.dayOfWeek) === dayOfWeek(next) - 1
    ? undefined
    : {
        path: "order_day_of_week",
        message: "is another day than that of the next charge, counted from Monday, 0",
      };
}

function isOfMonths({ unit }: Interval): boolean {
  return unit === "MONTH" || unit === "YEAR";
}

function dateOf(text: string | undefined): CalendarDate | undefined {
  return text === undefined ? undefined : parseDate(text.slice(0, 10), "UTC");
}

function refused(path: string, message: string): Dated {
  return { fields: {}, faults: [{ path, message }] };
}
