import { addDays, type CalendarDate, toDate, toDay } from "../../../../base/lib/time/calendar.ts";
import { closedKinds, closureOn, concerns } from "../../../delivery/closed-days.ts";
import { owesPayment } from "../../lifecycle.ts";
import type { Subscription } from "../../tables.ts";
import { calculateDates, deliveryOf, lastUntil } from "../cadence.ts";
import type { Calendar } from "../calendar.ts";
import { deliveriesOwed, type NextDates, nextDatesOf, scheduleOf, unmoved } from "../next-dates.ts";
import { anyTime, type From, fromDay, type Scheduled, walkOf } from "./delivery-walk.ts";
import type { DeliveryDays } from "./open-days.ts";

/**
 * The last step of the calendar: the next dates of a schedule, moved from closed days. The anchor stays, and
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

function storedDays(row: NextDates, isBilled: boolean): DeliveryDays {
  const { next_delivery_date, next_production_date, next_billing_date } = row;
  return {
    delivery: toDay(next_delivery_date as CalendarDate),
    production: next_production_date === null ? null : toDay(next_production_date),
    billing: isBilled && next_billing_date !== null ? toDay(next_billing_date) : null,
  };
}
