import { laterOf } from "../../../base/lib/time/calendar.ts";
import type { CalendarDate } from "../../../base/lib/time/dates.ts";
import { todayOf } from "../../../kit/days.ts";
import type { SlotWithDay } from "../../delivery/queries.ts";
import {
  anchorFrom,
  type Calendar,
  moveToOpenDays,
  scheduleFrom,
  startSchedule,
} from "../../subscriptions/dates/index.ts";
import { isOver, over } from "../../subscriptions/lifecycle.ts";
import type { NewSubscription } from "../../subscriptions/new-row.ts";
import type { SubscriptionReader, Surroundings } from "./surroundings.ts";
import type { Intervals } from "./terms.ts";

type DatesAsked = {
  around: Surroundings;
  intervals: Intervals;
  slot: SlotWithDay | undefined;
  status: NewSubscription["status"];
  no_charge_before: CalendarDate;
};

/** Nothing is charged before charge_from, nor before a later date of the row. */
export function noChargeBeforeIn(reader: SubscriptionReader, { charge_from }: Surroundings): CalendarDate {
  return laterOf(charge_from, reader.date("no_charge_before") ?? charge_from);
}

export function datesIn(reader: SubscriptionReader, asked: DatesAsked) {
  const { around, intervals, slot, status, no_charge_before } = asked;
  const billing = reader.date("next_billing_date");
  const delivery = reader.date("next_delivery_date");
  const anchor = reader.date("anchor_date");
  const owed = reader.integer("prepaid_owed", 0, 1000) ?? 0;
  const anchorDay = anchorDayOf(reader, anchor, intervals);
  if (anchorDay === undefined) return undefined;
  const today = todayOf(around);
  const hasEnded = isOver({ status });
  if (owed > 0 && intervals.deliveries === 1)
    return reader.refuse("prepaid_owed", "is for subscriptions with several deliveries for each charge");
  if (hasEnded && owed === 0) {
    const start = anchor ?? billing ?? today;
    return { ...startSchedule(start, undefined, today), anchor_day: anchorDay, ...over };
  }
  if (delivery !== undefined && delivery < today)
    return reader.refuse("next_delivery_date", "must not be in the past");
  if (!hasEnded && !isChargeable(reader, billing, { ...around, no_charge_before })) return undefined;
  const own = reader.date("scheduled_delivery_date");
  const dates = { billing: hasEnded ? null : billing!, delivery, own, anchor, anchorDay, owed };
  const schedule = scheduleFrom(dates, intervals.delivery, slot);
  if (!("dates" in schedule)) return reader.refuse(schedule.path, schedule.message);
  const { next_delivery_date: next } = schedule.dates;
  if (next !== null && next < today)
    return reader.refuse("prepaid_owed", `leads to a delivery on ${next}, which has passed`);
  return schedule.dates;
}

/** The day of the month that the schedule keeps beside the anchor, null for the anchor's own; undefined where it cannot be kept. */
function anchorDayOf(
  reader: SubscriptionReader,
  anchor: CalendarDate | undefined,
  { delivery: { unit } }: Intervals,
): number | null | undefined {
  const day = reader.integer("anchor_day", 29, 31);
  if (day === undefined) return null;
  const asked = { anchor_date: anchor ?? "", anchor_day: day, delivery_interval: unit };
  if (anchor !== undefined && anchorFrom(asked, anchor, undefined).anchor_day === day) return day;
  return reader.refuse("anchor_day", "is only for an anchor_date in a month that is too short for it");
}

/** No date is moved so that nothing is charged too early. */
function isChargeable(
  reader: SubscriptionReader,
  billing: CalendarDate | undefined,
  {
    no_charge_before: first,
    ...at
  }: Pick<Surroundings, "account" | "now"> & { no_charge_before: CalendarDate },
): billing is CalendarDate {
  const today = todayOf(at);
  if (billing !== undefined && billing < today) {
    reader.refuse("next_billing_date", "must not be in the past");
    return false;
  }
  if (billing !== undefined && billing >= first) return true;
  if (billing !== undefined) reader.refuse("next_billing_date", `must be ${first} or later`);
  else reader.required("next_billing_date", billing);
  return false;
}

/** Closed days move the dates as of any subscription, but no charge to before no_charge_before. */
export function inOpenDays(row: NewSubscription, calendar: Calendar) {
  return row.next_delivery_date === null ? {} : moveToOpenDays(row, calendar, calendar.today);
}
