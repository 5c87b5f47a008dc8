import { addDays, type CalendarDate, type Day, toDate, toDay } from "../../../base/lib/time/calendar.ts";
import { closedKinds, closureOn, concerns } from "../../delivery/closed-days.ts";
import { chargeableFrom } from "../bounds/no-charge-before.ts";
import { owesPayment } from "../lifecycle.ts";
import type { Subscription } from "../tables.ts";
import { calculateDates, deliveryOf, earliestPlanned, lastUntil } from "./cadence.ts";
import type { Calendar } from "./calendar.ts";
import type { ScheduleAt } from "./moved-days.ts";
import { deliveriesOwed, type NextDates, nextDatesOf, scheduleOf, unmoved } from "./next-dates.ts";
import { type DeliveryDays, type Earliest, toOpenDays } from "./open-days.ts";

/** The columns that the dates of a subscription are counted from. */
export type Scheduled = NextDates &
  Pick<
    Subscription,
    | "delivery_interval"
    | "delivery_interval_count"
    | "deliveries_per_billing"
    | "last_payment_reminder_billing_date"
    | "no_charge_before"
  >;

/**
 * The last step of the calendar: the next dates of a schedule, moved from closed days (docs/closed-days.md). The anchor stays, and
 * scheduled_index and scheduled_delivery_date keep what the schedule says, so that every date is put back once the days are open again. An account without closed
 * days has its dates as they are.
 */
export function moveToOpenDays(row: Scheduled, calendar: Calendar, earliest: CalendarDate): NextDates {
  return place(row, calendar, fromDay(row, calendar, earliest));
}

/**
 * The next dates moved from closed days as they will be counted whenever they follow closed days later: from what the first move has recorded of
 * the schedule. Where a delivery stays where closed days had moved it, and its charge would be on a closed day, that counts the charge from the
 * delivery.
 */
export function moveToOpenDaysAsFollowed(row: Subscription, calendar: Calendar): NextDates {
  const { today } = calendar;
  const recorded = moveToOpenDays(row, calendar, today);
  const counted = plannedDates({ ...row, ...recorded }, calendar);
  return moveToOpenDays({ ...row, ...counted }, calendar, today);
}

/**
 * The next dates from which closed days move them: those of the schedule, or the stored ones where the days that had moved these were opened
 * too late for the schedule's own.
 */
export function datesBySchedule(row: Subscription, calendar: Calendar): NextDates {
  return reachableDates(row, calendar) ?? { ...nextDatesOf(row), ...unmoved };
}

/** The next dates as the schedule alone has them, unless it is too late for these. */
function reachableDates(row: Subscription, calendar: Calendar): NextDates | undefined {
  const planned = plannedDates(row, calendar);
  if (row.scheduled_index === null) return planned;
  const tomorrow = addDays(calendar.today, 1);
  const unbilled = isDue(row, calendar) ? { next_billing_date: null } : {};
  const from = { ...fromDay(row, calendar, tomorrow), delivery: tomorrow };
  return isReachable(row, { ...planned, ...unbilled }, from) ? planned : undefined;
}

/** The next dates as the schedule alone has them. */
function plannedDates(row: Scheduled, calendar: Calendar): NextDates {
  const { scheduled_index: index, scheduled_delivery_date: delivery } = row;
  if (index === null || delivery === null) return nextDatesOf(row);
  const schedule = scheduleOf(row, calendar.slot);
  const { rhythm } = schedule;
  const owed = deliveriesOwed(row);
  const { production, billing } = calculateDates(delivery, rhythm, calendar.today);
  const billed = deliveryOf(schedule, lastUntil(schedule, delivery, index) + owed);
  const planned = owed === 0 ? billing : calculateDates(billed, rhythm, calendar.today).billing;
  return {
    anchor_date: row.anchor_date,
    anchor_day: row.anchor_day,
    next_index: index,
    next_billed_index: index + owed,
    next_delivery_date: delivery,
    next_production_date: production,
    next_billing_date: row.next_billing_date === null ? null : planned,
    ...unmoved,
  };
}

/**
 * The next dates as the calendar has them now, where the stored ones are others: closed days have come or gone since these were worked out.
 * Undefined where the stored ones are right, be it as they were worked out before or as they are today, and where they are open and it is too
 * late for others: a charge is not put before tomorrow, nor before the date of a reminder. A cycle that is owed, or whose day has passed, stays due.
 * What would be moved once more, as the slot has been given other days since, goes there at once.
 */
export function datesToFollow(row: Subscription, calendar: Calendar): NextDates | undefined {
  const dates = datesMoved(row, calendar);
  const further = dates && datesMoved({ ...row, ...dates }, calendar);
  return further ? (hasSameDates(row, further) ? undefined : further) : dates;
}

function datesMoved(row: Subscription, calendar: Calendar): NextDates | undefined {
  if (row.next_delivery_date === null) return undefined;
  if (row.scheduled_index === null && !isConcerned(calendar)) return undefined;
  const { today } = calendar;
  const hasCome = isDue(row, calendar);
  const billed = hasCome ? { next_billing_date: null } : {};
  const tomorrow = addDays(today, 1);
  const from = fromDay(row, calendar, tomorrow);
  const isOpen = !isOnClosedDay({ ...row, ...billed }, calendar);
  const planned = isOpen ? plannedDates(row, calendar) : datesBySchedule(row, calendar);
  const placeFrom = (earliest: From): NextDates => ({
    ...place({ ...row, ...planned, ...billed }, calendar, earliest),
    ...(hasCome ? { next_billing_date: row.next_billing_date } : {}),
  });
  const dates = placeFrom(isOpen ? anyTime : from);
  if (isOpen && !isReachable(row, dates, { ...from, delivery: tomorrow })) return undefined;
  if (hasSameDates(row, dates) || (isOpen && hasSameDates(row, placeFrom(from)))) return undefined;
  if (row.scheduled_index === null && hasSameDates(dates, withoutClosedDays(row, calendar))) return undefined;
  return dates;
}

/** Whether days are closed for the subscription's slot: those of other slots change nothing. */
function isConcerned({ slot, closed }: Calendar): boolean {
  return closed.some((one) => concerns(one, slot?.id));
}

function hasSameDates(row: NextDates, dates: NextDates): boolean {
  return storedDates.every((column) => row[column] === dates[column]);
}

function isDue(row: Subscription, { today }: Calendar): boolean {
  return owesPayment(row) || (row.next_billing_date !== null && row.next_billing_date < today);
}

type DeliveryDates = { delivery: CalendarDate; billing: CalendarDate | null };

/** The dates on which the n-th delivery is made and billed; undefined where it falls away. */
export function openDatesOf(
  row: Scheduled,
  index: number,
  calendar: Calendar,
  { earliest, isBilled }: { earliest: CalendarDate; isBilled: boolean },
): DeliveryDates | undefined {
  return datesFrom(row, { index, isBilled }, calendar, fromDay(row, calendar, earliest));
}

/** The dates that closed days leave the n-th delivery, whether there is still time for these or not; undefined where it falls away. */
export function plannedDatesOf(
  row: Scheduled,
  index: number,
  calendar: Calendar,
  isBilled: boolean,
): DeliveryDates | undefined {
  return datesFrom(row, { index, isBilled }, calendar, anyTime);
}

function datesFrom(
  row: Scheduled,
  { index, isBilled }: { index: number; isBilled: boolean },
  calendar: Calendar,
  from: From,
): DeliveryDates | undefined {
  const walk = walkOf(row, calendar, from);
  const days = walk.placed(index, walk.daysOf(index, isBilled));
  return (
    days && { delivery: toDate(days.delivery), billing: days.billing === null ? null : toDate(days.billing) }
  );
}

/** From when on dates may be chosen. */
type From = Record<keyof Earliest, CalendarDate>;

/** For dates that are compared with those that were worked out on an earlier day. */
const anyTime: From = { delivery: "0001-01-01", packing: "0001-01-01", charge: "0001-01-01" };

function fromDay(row: Scheduled, calendar: Calendar, day: CalendarDate): From {
  const { last_payment_reminder_billing_date: told } = row;
  const charge = [chargeableFrom(row, calendar.today), day, told ?? ""].sort().at(-1) as CalendarDate;
  return { delivery: earliestPlanned(calendar.slot?.day, day), packing: day, charge };
}

/** The next dates as the slot's days alone have them: what these change is no matter of closed days. */
function withoutClosedDays(row: Scheduled, calendar: Calendar): NextDates {
  return placeByWalk(row, { ...calendar, closed: [] }, anyTime);
}

function place(row: Scheduled, calendar: Calendar, from: From): NextDates {
  const dates = { ...nextDatesOf(row), ...unmoved };
  if (row.next_delivery_date === null || !isConcerned(calendar)) return dates;
  return placeByWalk(row, calendar, from);
}

function placeByWalk(row: Scheduled, calendar: Calendar, from: From): NextDates {
  const dates = { ...nextDatesOf(row), ...unmoved };
  const walk = walkOf(row, calendar, from);
  const owed = deliveriesOwed(row);
  const isBilled = row.next_billing_date !== null;
  const next = walk.firstFrom(row.next_index, storedDays(row, isBilled && owed === 0));
  const billing = isBilled ? (next.days.billing ?? walk.billingAfter(next, owed)) : undefined;
  const moved = {
    ...dates,
    next_index: next.index,
    next_billed_index: next.index + owed,
    next_delivery_date: toDate(next.days.delivery),
    next_production_date: next.days.production === null ? null : toDate(next.days.production),
    next_billing_date: billing === undefined ? row.next_billing_date : toDate(billing),
  };
  if (!movedColumns.some((column) => moved[column] !== dates[column])) return dates;
  return { ...moved, scheduled_index: row.next_index, scheduled_delivery_date: row.next_delivery_date };
}

const movedColumns = [
  "next_index",
  "next_billing_date",
  "next_delivery_date",
  "next_production_date",
] as const satisfies (keyof NextDates)[];

/** Whether one of the stored dates that are still to come is on a closed day. */
function isOnClosedDay(row: NextDates, { slot, closed, today }: Calendar): boolean {
  const dates = {
    delivery: row.next_delivery_date,
    production: row.next_production_date,
    billing: row.next_billing_date,
  };
  return closedKinds.some((kind) => {
    const date = dates[kind];
    return date !== null && date >= today && closureOn(closed, { kind, slotId: slot?.id }, toDay(date));
  });
}

/** Whether there is still time for dates: those that differ from the stored ones. */
function isReachable(row: NextDates, dates: NextDates, from: From): boolean {
  const isInTime = (column: (typeof storedDates)[number], earliest: CalendarDate) => {
    const date = dates[column];
    return date === null || date === row[column] || date >= earliest;
  };
  return (
    isInTime("next_delivery_date", from.delivery) &&
    isInTime("next_production_date", from.packing) &&
    isInTime("next_billing_date", from.charge)
  );
}

const storedDates = ["next_delivery_date", "next_production_date", "next_billing_date"] as const;

type Placed = { index: number; days: DeliveryDays };

/** The deliveries of a subscription one after the other, as closed days leave them. */
function walkOf(row: Scheduled, calendar: Calendar, from: From) {
  const schedule = scheduleOf(row, calendar.slot);
  const at: ScheduleAt = { schedule, calendar };
  const earliest: Earliest = {
    delivery: toDay(from.delivery),
    packing: toDay(from.packing),
    charge: toDay(from.charge),
  };
  const { rhythm } = schedule;

  function daysOf(index: number, isBilled: boolean): DeliveryDays {
    const delivery = deliveryOf(schedule, index);
    const { production, billing } = calculateDates(delivery, rhythm, from.packing);
    return {
      delivery: toDay(delivery),
      production: production === null ? null : toDay(production),
      billing: isBilled ? toDay(billing) : null,
    };
  }

  function placed(index: number, days: DeliveryDays): DeliveryDays | undefined {
    return toOpenDays(at, { days, index, everyNth: row.deliveries_per_billing }, earliest);
  }

  function firstFrom(index: number, days: DeliveryDays): Placed {
    const isBilled = days.billing !== null;
    let planned = days;
    for (let at = index; at < index + mostFallingAway; at++) {
      const found = placed(at, planned);
      if (found && !isOver(at, found)) return { index: at, days: found };
      planned = daysOf(at + 1, isBilled);
    }
    throw new Error("Closed days leave no delivery of the schedule");
  }

  /** Where the next delivery stayed where it was moved, those of the schedule up to its day never come. */
  function isOver(index: number, { delivery }: DeliveryDays): boolean {
    const { next_delivery_date: next, next_index } = row;
    if (next === null || index <= next_index || delivery > toDay(next)) return false;
    return index <= lastUntil(schedule, next, next_index);
  }

  function billingAfter(next: Placed, owed: number): Day {
    let index = next.index;
    for (let left = owed; left > 1; left--) index = firstFrom(index + 1, daysOf(index + 1, false)).index;
    return firstFrom(index + 1, daysOf(index + 1, true)).days.billing as Day;
  }

  return { daysOf, placed, firstFrom, billingAfter };
}

/** More deliveries than the closed days of an account can have fall away one after the other. */
const mostFallingAway = 1000;

function storedDays(row: NextDates, isBilled: boolean): DeliveryDays {
  const { next_delivery_date, next_production_date, next_billing_date } = row;
  return {
    delivery: toDay(next_delivery_date as CalendarDate),
    production: next_production_date === null ? null : toDay(next_production_date),
    billing: isBilled && next_billing_date !== null ? toDay(next_billing_date) : null,
  };
}
