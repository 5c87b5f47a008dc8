import type { CalendarDate } from "../../../base/lib/dates.ts";
import type { SlotWithDay } from "../../delivery/queries.ts";
import { calendarOf } from "../../subscriptions/calendar.ts";
import { over } from "../../subscriptions/lifecycle.ts";
import type { NewSubscription } from "../../subscriptions/new-row.ts";
import { unmoved } from "../../subscriptions/next-dates.ts";
import { moveToOpenDays } from "../../subscriptions/open-dates.ts";
import { todayOf } from "../../subscriptions/schedule.ts";
import { scheduleFrom } from "../schedule-from.ts";
import type { SubscriptionReader, Surroundings } from "./surroundings.ts";
import type { Intervals } from "./terms.ts";

type DatesAsked = {
  around: Surroundings;
  intervals: Intervals;
  slot: SlotWithDay | undefined;
  status: NewSubscription["status"];
};

export function datesIn(reader: SubscriptionReader, { around, intervals, slot, status }: DatesAsked) {
  const billing = reader.date("next_billing_date");
  const delivery = reader.date("next_delivery_date");
  const anchor = reader.date("anchor_date");
  const owed = reader.integer("prepaid_owed", 0, 1000) ?? 0;
  const today = todayOf(around);
  if (owed > 0 && intervals.deliveries === 1)
    return reader.refuse("prepaid_owed", "is for subscriptions with several deliveries for each charge");
  if (status === "CANCELLED" && owed === 0) {
    const start = anchor ?? billing ?? today;
    return { anchor_date: start, next_index: 0, next_billed_index: 0, ...over, ...unmoved };
  }
  if (delivery !== undefined && delivery < today)
    return reader.refuse("next_delivery_date", "must not be in the past");
  if (status !== "CANCELLED" && !isChargeable(reader, billing, around)) return undefined;
  const asked = { billing: status === "CANCELLED" ? null : billing!, delivery, anchor, owed };
  const schedule = scheduleFrom(asked, intervals.delivery, slot);
  if (!("dates" in schedule)) return reader.refuse(schedule.path, schedule.message);
  const { next_delivery_date: next } = schedule.dates;
  if (next !== null && next < today)
    return reader.refuse("prepaid_owed", `leads to a delivery on ${next}, which has passed`);
  return schedule.dates;
}

/** Nothing is charged before charge_from, and no date is moved so that it is not. */
function isChargeable(
  reader: SubscriptionReader,
  billing: CalendarDate | undefined,
  { charge_from, ...at }: Surroundings,
): billing is CalendarDate {
  const today = todayOf(at);
  if (billing !== undefined && billing < today) {
    reader.refuse("next_billing_date", "must not be in the past");
    return false;
  }
  if (billing !== undefined && billing >= charge_from) return true;
  if (billing !== undefined) reader.refuse("next_billing_date", `must be ${charge_from} or later`);
  else reader.required("next_billing_date", billing);
  return false;
}

/** Closed days move the dates as of any subscription, but no charge to before charge_from. */
export function inOpenDays(
  row: NewSubscription,
  { account, now, charge_from }: Surroundings,
  slot: SlotWithDay | undefined,
) {
  if (row.next_delivery_date === null) return {};
  const calendar = calendarOf({ now, account }, slot);
  return moveToOpenDays(row, calendar, charge_from);
}
