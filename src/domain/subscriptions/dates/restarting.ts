import { addDays, type CalendarDate, laterOf, toDay } from "../../../base/lib/time/calendar.ts";
import { chargeableFrom } from "../bounds/no-charge-before.ts";
import type { NewSubscription } from "../new-row.ts";
import type { Subscription } from "../tables.ts";
import { deliveryOf } from "./cadence.ts";
import type { Calendar } from "./calendar.ts";
import { earliestDelivery } from "./earliest-delivery.ts";
import { deliveriesOwed, type NextDates, scheduleOf } from "./next-dates.ts";
import { indexesToCome } from "./open-days/indexes-to-come.ts";
import { datesBySchedule } from "./open-days/open-dates.ts";
import { continueSchedule, scheduleAt } from "./schedule.ts";

/**
 * The dates after a pause. A cycle that is owed, or whose charge is under way, keeps its own until that is paid: these are for the delivery that
 * it pays for.
 */
export function datesAfterPause(row: Subscription, calendar: Calendar): Partial<NextDates> {
  const isOwed = row.dunning_episode_id !== null || (row.open_attempt_id !== null && !isBilledOften(row));
  return isOwed && deliveriesOwed(row) === 0 ? {} : restartSchedule(row, calendar);
}

/**
 * The dates from tomorrow on, and from no_charge_before on, so that nothing is charged today.
 * Dates that are planned for then stay. Of short billing intervals they are those of the first cycle from then on; of longer ones a delivery whose
 * day has passed comes on the first possible day, from which the schedule is counted. Owed deliveries of a prepaid period are made before the next
 * billing.
 */
export function restartSchedule(row: Subscription, calendar: Calendar): Partial<NextDates> {
  const { today } = calendar;
  const owed = deliveriesOwed(row);
  const first = owed > 0 ? addDays(today, 1) : chargeableFrom(row, today);
  if (isPlannedFrom(row, first)) return {};
  if (!isBilledOften(row))
    return continueSchedule(row, passedDelivery(row, calendar, first), calendar, first);
  return datesOfScheduleFromTomorrow(row, calendar);
}

/** The next dates of the same schedule from tomorrow on, and from no_charge_before on: deliveries whose day has passed are left out. */
export function datesOfScheduleFromTomorrow(row: Subscription, calendar: Calendar): Partial<NextDates> {
  const owed = deliveriesOwed(row);
  const first = owed > 0 ? addDays(calendar.today, 1) : chargeableFrom(row, calendar.today);
  if (isPlannedFrom(row, first)) return {};
  const { index } = firstBilledFrom(row, calendar, first);
  return scheduleAt(row, calendar, { index, owed }, first);
}

/**
 * The dates of a reactivated subscription: from the requested date, else from the first cycle from tomorrow on. Deliveries
 * that are still owed come first; where they are planned, the next of them keeps its date.
 */
export function datesAfterReactivation(
  row: Subscription,
  calendar: Calendar,
  requested: CalendarDate | undefined,
): NextDates {
  const { today } = calendar;
  const life = { ...row, status: "ACTIVE" as const, current_billing_cycle: 1 };
  if (requested) return continueSchedule(life, requested, calendar, today);
  const planned = row.next_delivery_date && datesBySchedule(row, calendar).next_delivery_date;
  if (deliveriesOwed(row) > 0 && planned !== null) return continueSchedule(life, planned, calendar, today);
  const first = chargeableFrom(row, today);
  const { delivery } = firstBilledFrom(row, calendar, first);
  return continueSchedule(life, delivery, calendar, first);
}

/**
 * The day of the first charge once a pause has ended by itself, by which its customer is reminded (restart_billing_date). A payment that is owed is
 * tried on the day after. Null without such a pause, and while a charge is under way, after which the dates are others.
 */
export function restartDateOf(row: NewSubscription, calendar: Calendar): CalendarDate | null {
  if (row.status !== "PAUSED" || row.pause_until === null) return null;
  const today = laterOf(calendar.today, row.pause_until);
  if (row.dunning_episode_id !== null) return addDays(today, 1);
  return datesAfterPause(row as Subscription, { ...calendar, today }).next_billing_date ?? null;
}

/** The day on which a subscription is charged next, if nothing else happens. Null for none. */
export function chargeDateOf({
  status,
  next_billing_date,
  restart_billing_date,
}: Pick<Subscription, "status" | "next_billing_date" | "restart_billing_date">): CalendarDate | null {
  return status === "PAUSED" ? restart_billing_date : next_billing_date;
}

/** The charge of a subscription that comes back to life on the day that it had: on the day after. */
export function chargedTomorrow(today: CalendarDate): Pick<NextDates, "next_billing_date"> {
  return { next_billing_date: addDays(today, 1) };
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

/** The first delivery of the schedule that is made and billed from that day on, on the day that the schedule gives it. */
function firstBilledFrom(
  row: Subscription,
  calendar: Calendar,
  first: CalendarDate,
): { index: number; delivery: CalendarDate } {
  const from = row.scheduled_index ?? row.next_index;
  const asked = { kind: "billing", from, day: toDay(first), isBilled: true } as const;
  const index = indexesToCome(row, calendar, asked).next().value;
  return { index, delivery: deliveryOf(scheduleOf(row, calendar.slot), index) };
}

/** Whether the planned delivery is from that day on, and so is its billing. */
function isPlannedFrom(row: Subscription, first: CalendarDate): boolean {
  return (
    row.next_delivery_date !== null &&
    row.next_delivery_date >= first &&
    (row.next_billing_date ?? row.next_delivery_date) >= first
  );
}
