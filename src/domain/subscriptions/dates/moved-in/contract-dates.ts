import { type CalendarDate, toDay } from "../../../../base/lib/time/calendar.ts";
import type { Interval } from "../../../../base/lib/time/intervals.ts";
import { deliveryOf, nthDelivery, seekIndex } from "../cadence.ts";
import type { NextDates } from "../next-dates.ts";
import { startSchedule } from "../schedule.ts";

/** A contract that was concluded elsewhere: when, on which day it is billed next, if that is known, and whether it was billed when it was concluded. */
type ConcludedContract = {
  start: CalendarDate;
  billed: CalendarDate | null;
  billing: Interval;
  delivery: Interval;
  deliveries: number;
  isBilledAtStart: boolean;
};

/**
 * The schedule counts from the day of the contract where its next billing date lies on that schedule, so that the 31st stays
 * the 31st; else from the next billing date. The checkout's billing pays for the deliveries before the next billing:
 * those that have not been made yet are owed.
 */
export function datesOfContract(contract: ConcludedContract, today: CalendarDate): NextDates {
  const { start, billing, delivery, deliveries, isBilledAtStart } = contract;
  const billed = contract.billed ?? nthDelivery(start, billing, 1, undefined);
  if (billed < today) return startSchedule(today, undefined, today);
  const schedule = { anchor: start, interval: delivery, rhythm: undefined };
  const indexFrom = (from: number, date: CalendarDate) =>
    seekIndex(schedule, "delivery", { from, day: toDay(date) });
  const billedIndex = Math.min(indexFrom(1, billed), maxDeliveries);
  const dates = startSchedule(billed, undefined, today);
  if (deliveryOf(schedule, billedIndex) !== billed) return dates;
  const paidFrom = isBilledAtStart ? Math.max(1, billedIndex - deliveries + 1) : billedIndex;
  const nextIndex = indexFrom(paidFrom, today);
  return {
    ...dates,
    anchor_date: start,
    next_index: nextIndex,
    next_billed_index: billedIndex,
    next_delivery_date: deliveryOf(schedule, nextIndex),
  };
}

/** A contract that was concluded more deliveries ago has a schedule of its own. */
const maxDeliveries = 400;
