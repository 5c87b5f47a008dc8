import { type CalendarDate, type Day, toDate, toDay } from "../../../../base/lib/time/calendar.ts";
import { chargeableFrom } from "../../bounds/no-charge-before.ts";
import type { Subscription } from "../../tables.ts";
import { calculateDates, deliveryOf, earliestPlanned, lastUntil } from "../cadence.ts";
import type { Calendar } from "../calendar.ts";
import { type NextDates, scheduleOf } from "../next-dates.ts";
import type { ScheduleAt } from "./moved-days.ts";
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
export type From = Record<keyof Earliest, CalendarDate>;

/** For dates that are compared with those that were worked out on an earlier day. */
export const anyTime: From = { delivery: "0001-01-01", packing: "0001-01-01", charge: "0001-01-01" };

export function fromDay(row: Scheduled, calendar: Calendar, day: CalendarDate): From {
  const { last_payment_reminder_billing_date: told } = row;
  const charge = [chargeableFrom(row, calendar.today), day, told ?? ""].sort().at(-1) as CalendarDate;
  return { delivery: earliestPlanned(calendar.slot?.day, day), packing: day, charge };
}

type Placed = { index: number; days: DeliveryDays };

/** The deliveries of a subscription one after the other, as closed days leave them. */
export function walkOf(row: Scheduled, calendar: Calendar, from: From) {
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

  /** If the next delivery stayed where it was moved, those of the schedule up to its day never come. */
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
