import { invalid } from "../../../base/errors.ts";
import { diff } from "../../../base/lib/diff.ts";
import { addDays, type CalendarDate, earlierOf } from "../../../base/lib/time/calendar.ts";
import type { SlotWithDay } from "../../delivery/queries.ts";
import { isBeyondLastCycle, owesPayment } from "../lifecycle.ts";
import type { Subscription } from "../tables.ts";
import { deliveryOf } from "./cadence.ts";
import type { Calendar } from "./calendar.ts";
import { deliveryAfterNext } from "./next-after.ts";
import { deliveriesOwed, type NextDates, scheduleOf } from "./next-dates.ts";
import { datesInSlot } from "./schedule.ts";

type Planned = Pick<
  Subscription,
  | "anchor_date"
  | "anchor_day"
  | "delivery_interval"
  | "delivery_interval_count"
  | "next_index"
  | "next_delivery_date"
  | "scheduled_index"
  | "scheduled_delivery_date"
>;

/**
 * The day that was chosen for the next delivery alone, before closed days: it is not the one that the schedule gives it. The anchor stays, so that
 * every other delivery has its own day. Undefined where the next delivery is on its schedule.
 */
export function dayOfSingleMove(row: Planned, slot: SlotWithDay | undefined): CalendarDate | undefined {
  const planned = row.scheduled_delivery_date ?? row.next_delivery_date;
  return planned === null || planned === ownDay(row, slot) ? undefined : planned;
}

/** The day that the schedule gives the next delivery, before closed days. */
export function ownDay(row: Planned, slot: SlotWithDay | undefined): CalendarDate {
  return deliveryOf(scheduleOf(row, slot), row.scheduled_index ?? row.next_index);
}

/**
 * The dates once the next delivery alone is moved to this day: packed and charged accordingly. Throws VALIDATION_FAILED where it would reach the
 * delivery after it, or, by closed days, put that one's charge off.
 */
export function moveNextAlone(
  row: Subscription,
  delivery: CalendarDate,
  calendar: Calendar,
  path = "next_delivery_date",
): NextDates {
  const dates = datesInSlot({ ...row, next_delivery_date: delivery }, delivery, calendar);
  if (isLastDelivery(row)) return dates;
  const before = deliveryAfterNext(row, calendar);
  const own = deliveryOf(scheduleOf(row, calendar.slot), before.next_index);
  const limit = earlierOf(before.next_delivery_date ?? own, own);
  if (delivery >= limit)
    throw invalid([{ path, message: `must be before ${limit}, the day of the delivery after it` }]);
  if (Object.keys(diff(before, deliveryAfterNext({ ...row, ...dates }, calendar))).length > 0)
    throw invalid([{ path, message: "must leave the delivery after it on its days" }]);
  return dates;
}

/**
 * A subscription whose dates weeks have put off together with its schedule: a delivery that was moved alone stays before the one after it, as months
 * differ in length.
 */
export function keepBeforeNext(
  before: Subscription,
  slot: SlotWithDay | undefined,
  moved: Subscription,
): Subscription {
  const { next_delivery_date: delivery, next_billing_date: billing } = moved;
  if (delivery === null || dayOfSingleMove(before, slot) === undefined) return moved;
  const next = deliveryOf(scheduleOf(moved, slot), moved.next_index + 1);
  if (delivery < next) return moved;
  const last = addDays(slot ? delivery : next, slot ? -7 : -1);
  return {
    ...moved,
    next_delivery_date: last,
    next_billing_date: deliveriesOwed(moved) === 0 ? billing && last : billing,
  };
}

/** The day of the delivery after the next one; null where none follows, or an owed payment or a pause decides when. */
export function followingDelivery(row: Subscription, calendar: Calendar): CalendarDate | null {
  const isKnown = row.status === "ACTIVE" && row.next_delivery_date !== null && !owesPayment(row);
  return isKnown && !isLastDelivery(row) ? deliveryAfterNext(row, calendar).next_delivery_date : null;
}

function isLastDelivery(row: Subscription): boolean {
  const isBilled = deliveriesOwed(row) === 0;
  const left = isBilled ? row.deliveries_per_billing - 1 : deliveriesOwed(row) - 1;
  return (
    left === 0 &&
    isBeyondLastCycle({ ...row, current_billing_cycle: row.current_billing_cycle + (isBilled ? 1 : 0) })
  );
}
