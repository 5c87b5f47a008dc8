import { addDays, type CalendarDate, dayOfWeek, toDay } from "../../../../base/lib/time/calendar.ts";
import type { Interval } from "../../../../base/lib/time/intervals.ts";
import type { SlotWithDay } from "../../../delivery/queries.ts";
import { anchorFrom } from "../anchor.ts";
import { calculatePlannedDates, dayOfKind, deliveryOf, nthDelivery, seekIndex } from "../cadence.ts";
import { type NextDates, unmoved } from "../next-dates.ts";

/** When a subscription is next billed and delivered elsewhere, which is kept here to the day. */
export type Dates = {
  /** Null for an ended subscription, of which deliveries are owed. */
  billing: CalendarDate | null;
  delivery: CalendarDate | undefined;
  /** The day that the schedule has for the next delivery, where that alone was moved. */
  own: CalendarDate | undefined;
  anchor: CalendarDate | undefined;
  /** The day of the month that the schedule keeps, where the anchor's month is too short for it. */
  anchorDay: number | null;
  /** Deliveries that are paid for. */
  owed: number;
};

/** The columns of a schedule, or what is wrong with the dates. */
type Schedule =
  | { dates: NextDates }
  | {
      path: "next_billing_date" | "next_delivery_date" | "scheduled_delivery_date" | "anchor_date";
      message: string;
    };

/**
 * The schedule on which the next charge and the next delivery have these dates. It counts from the anchor, so that a 31st stays a 31st;
 * without one from the next delivery.
 */
export function scheduleFrom(dates: Dates, interval: Interval, slot: SlotWithDay | undefined): Schedule {
  const billed = billedDelivery(dates, slot);
  if (typeof billed !== "string") return billed;
  if (slot && dayOfWeek(billed) !== slot.day.day_of_week)
    return { path: "next_delivery_date", message: "is not on the day of the delivery slot" };
  const counted = countFrom(dates, billed, interval, slot);
  if (!("anchor" in counted)) return counted;
  const { anchor, anchorDay = null, index } = counted;
  const nextIndex = index - dates.owed;
  const schedule = { anchor, anchorDay, interval, rhythm: slot?.day };
  const planned = deliveryOf(schedule, nextIndex);
  const asked = dates.own ?? dates.delivery;
  if (dates.owed > 0 && asked !== undefined && asked !== planned)
    return {
      path: dates.own === undefined ? "next_delivery_date" : "scheduled_delivery_date",
      message: `is not ${dates.owed} deliveries before the next charge: that is ${planned}`,
    };
  const delivery = dates.owed === 0 ? (dates.delivery ?? billed) : (dates.delivery ?? planned);
  const following = deliveryOf(schedule, nextIndex + 1);
  if (dates.own !== undefined && delivery >= following)
    return {
      path: "next_delivery_date",
      message: `must be before ${following}, the day of the delivery after it`,
    };
  return {
    dates: {
      anchor_date: anchor,
      anchor_day: anchorDay,
      next_index: nextIndex,
      next_billed_index: index,
      next_billing_date: dates.billing,
      next_delivery_date: delivery,
      next_production_date: calculatePlannedDates(delivery, slot?.day).production,
      ...unmoved,
    },
  };
}

/** The delivery that the next charge pays for: in a slot that which the slot bills on that day. */
function billedDelivery(
  { billing, delivery, owed }: Dates,
  slot: SlotWithDay | undefined,
): Schedule | CalendarDate {
  if (billing === null)
    return delivery ?? { path: "next_delivery_date", message: "is required where deliveries are owed" };
  if (!slot) {
    if (owed === 0 && delivery !== undefined && delivery < billing)
      return { path: "next_delivery_date", message: "must not be before the charge that pays for it" };
    return billing;
  }
  const asked = owed === 0 ? delivery : undefined;
  const found = asked ?? deliveryBilledOn(billing, slot);
  if (found !== undefined && calculatePlannedDates(found, slot.day).billing === billing) return found;
  if (asked === undefined)
    return { path: "next_billing_date", message: "is not a day on which the delivery slot bills" };
  const { billing: planned } = calculatePlannedDates(asked, slot.day);
  return {
    path: "next_billing_date",
    message: `must be ${planned}, when the delivery slot bills the delivery of ${asked}`,
  };
}

function deliveryBilledOn(billing: CalendarDate, { day }: SlotWithDay): CalendarDate | undefined {
  for (let days = 0; days < longestLead; days++) {
    const delivery = addDays(billing, days);
    if (dayOfWeek(delivery) === day.day_of_week && calculatePlannedDates(delivery, day).billing === billing)
      return delivery;
  }
  return undefined;
}

/** A delivery is billed fewer days before it is made. */
const longestLead = 60;

/** The date that a schedule counts from, and the number of the delivery that is billed next. */
function countFrom(
  { own, anchor = own, anchorDay, delivery, owed, billing }: Dates,
  billed: CalendarDate,
  interval: Interval,
  slot: SlotWithDay | undefined,
): { anchor: CalendarDate; anchorDay?: number | null; index: number } | Extract<Schedule, { path: string }> {
  if (anchor !== undefined) {
    const counted = owed === 0 ? (own ?? billed) : billed;
    const nth = indexOf({ anchor, anchorDay, interval, rhythm: slot?.day }, counted);
    const index = billing === null && nth !== undefined ? nth + owed : nth;
    if (index !== undefined && index >= owed) return { anchor, anchorDay, index };
    return { path: "anchor_date", message: "does not lead to the next charge by whole delivery intervals" };
  }
  if (billing === null) return { anchor: billed, index: owed };
  if (owed === 0) return { anchor: billed, index: 0 };
  const start = delivery ?? before(billed, interval, owed);
  const charged = { anchor_date: billed, anchor_day: null, delivery_interval: interval.unit };
  const { anchor_date, anchor_day } = anchorFrom(charged, start, slot);
  const schedule = { anchor: anchor_date, anchorDay: anchor_day, interval, rhythm: slot?.day };
  if (deliveryOf(schedule, owed) === billed) return { ...schedule, index: owed };
  return {
    path: "next_delivery_date",
    message: "is needed, or anchor_date: the dates of the deliveries that are owed are not certain",
  };
}

function indexOf(schedule: Parameters<typeof deliveryOf>[0], date: CalendarDate): number | undefined {
  const index = seekIndex(schedule, "delivery", { from: 0, day: toDay(date) });
  return dayOfKind(schedule, "delivery", index) === toDay(date) ? index : undefined;
}

/** The date so many intervals before; the calendar of months may not lead back from there. */
function before(date: CalendarDate, { unit, count }: Interval, times: number): CalendarDate {
  if (unit === "DAY" || unit === "WEEK") return addDays(date, -times * count * (unit === "WEEK" ? 7 : 1));
  return nthDelivery(date, { unit, count: -count * times }, 1, undefined);
}
