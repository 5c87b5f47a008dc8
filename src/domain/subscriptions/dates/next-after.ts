import { addDays, type CalendarDate, toDay } from "../../../base/lib/time/calendar.ts";
import type { Subscription } from "../tables.ts";
import { anchorFrom } from "./anchor.ts";
import { deliveryOf, earliestPlanned } from "./cadence.ts";
import type { Calendar } from "./calendar.ts";
import { earliestDelivery, firstOpen, isOpenOn, packingDate } from "./earliest-delivery.ts";
import { deliveriesOwed, type NextDates, nextDatesOf, scheduleOf } from "./next-dates.ts";
import { openDatesOf } from "./open-days/delivery-walk.ts";
import { indexesToCome } from "./open-days/indexes-to-come.ts";
import { scheduleAt } from "./schedule.ts";

/**
 * The dates after a delivery: those of the next possible delivery, billed from tomorrow on. Missed deliveries are left out.
 * After a delivery off the schedule, the schedule is counted from that delivery's date.
 */
export function nextAfter(
  row: Subscription,
  calendar: Calendar,
  { delivery, owed, isOffSchedule }: LastDelivery,
): NextDates {
  const tomorrow = addDays(calendar.today, 1);
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

/** The dates after the delivery of a cycle that was billed or left out, where so many paid deliveries precede the next billing. */
export function datesAfterCycle(
  row: Subscription,
  calendar: Calendar,
  cycle: CycleDelivery,
  owed: number,
): NextDates {
  const { delivery_date: delivery, isOffSchedule } = cycle;
  if (owed === 0 && isResumedBehind(row, cycle, calendar.today)) return nextDatesOf(row);
  return nextAfter(row, calendar, { delivery, owed, isOffSchedule });
}

type CycleDelivery = { delivery_date: CalendarDate; isOffSchedule: boolean };

/** A pause and a resume have moved the schedule past this delivery while its charge was under way, to a date that is still to come. */
function isResumedBehind(row: Subscription, cycle: CycleDelivery, today: CalendarDate): boolean {
  const { next_delivery_date: delivery, next_billing_date: billing } = row;
  const isLater = delivery !== null && delivery > cycle.delivery_date;
  return !cycle.isOffSchedule && isLater && billing !== null && billing > today;
}

/** A delivery just made, and the number of paid deliveries that follow before the next billing. */
type LastDelivery = { delivery: CalendarDate; owed: number; isOffSchedule: boolean };

/** The dates of the delivery after the next one, once that is ordered on its day. */
export function deliveryAfterNext(row: Subscription, calendar: Calendar): NextDates {
  const owed = deliveriesOwed(row);
  const left = owed > 0 ? owed - 1 : row.deliveries_per_billing - 1;
  const then = { ...calendar, today: orderedOn(row, calendar.today) };
  const { delivery_date: delivery } = deliveryFrom(row, then);
  return nextAfter(row, then, { delivery, owed: left, isOffSchedule: false });
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
): { delivery_date: CalendarDate; production_date: CalendarDate | null } {
  const { today } = calendar;
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

/** The day on which the next delivery would be ordered: charged, or packed where it is paid for. */
export function orderedOn(row: Subscription, today: CalendarDate): CalendarDate {
  const packed = row.next_production_date ?? row.next_delivery_date;
  const planned = deliveriesOwed(row) > 0 ? packed : row.next_billing_date;
  return planned !== null && planned > today ? planned : today;
}
