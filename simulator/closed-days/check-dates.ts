import { snapshotOf } from "../../src/domain/billing/snapshot.ts";
import { firstPackedFrom, type Grid, laterOf, nthDay, plusDays } from "../accounts/calendar.ts";
import { type ClosedDayHistory, closedKinds } from "../dates/history.ts";
import type { World } from "../kernel/world.ts";
import type { Change, Entry, Seen } from "./rows.ts";

/**
 * Where dates go by closed days: to open days, and only where days are closed. The schedule itself stays, so that the dates can be put back:
 * its anchor moves with people alone, each of its deliveries comes once, and one falls away only where it has a closed day.
 */
export function checkDates(
  { report }: Pick<World, "report">,
  history: ClosedDayHistory,
  change: Change,
): void {
  const { before, now, entries } = change;
  const isMoved = dateColumns.some((column) => before[column] !== now[column]);
  if (!isMoved) return;
  const told = () =>
    `${entries.map(({ action }) => action).join(", ")}: ${textOf(before)} becomes ${textOf(now)}`;
  if (before.anchor_date !== now.anchor_date && !entries.some(movesAnchor)) report(anchorStays, told());
  if (entries.some(isFollowing) && !isSameSchedule(change)) report(anchorStays, told());
  const closed = dateOnClosedDay(history, change);
  if (closed) report("no date is put on a closed day", `${closed}, ${told()}`);
  const why = movedWithoutCause(history, change);
  if (why) report("dates move from closed days alone", `${why}, ${told()}`);
  const passed = passedWithoutDelivery(history, change);
  if (passed) report("each delivery of the schedule comes once", `${passed}, ${told()}`);
}

const anchorStays = "closed days leave the schedule as it is";

const dateColumns = [
  "anchor_date",
  "next_index",
  "next_delivery_date",
  "next_billing_date",
  "next_production_date",
  "scheduled_index",
  "scheduled_delivery_date",
] as const satisfies (keyof Seen)[];

/** People choose another day with these, or an interval that counts from one. */
const byPeople = [
  "subscription_skipped",
  "subscription_unskipped",
  "subscription_change_undone",
  "subscription_resumed",
  "subscription_reactivated",
  "frequency_changed",
];

const bringsBack = ["subscription_unskipped", "subscription_change_undone"];

/** The system moves a delivery for closed days alone. */
export function isFollowing({ action, actor_type }: Entry): boolean {
  return action === "delivery_rescheduled" && actor_type === "system";
}

function movesAnchor(entry: Entry): boolean {
  const { action, snapshot } = entry;
  if (action === "delivery_rescheduled") return !isFollowing(entry);
  const isOffSchedule = snapshot !== null && snapshotOf({ snapshot }).isOffSchedule;
  return byPeople.includes(action) || (action === "billing_succeeded" && isOffSchedule);
}

/** The next delivery as the schedule has it. */
function scheduleOf({ scheduled_index, scheduled_delivery_date, ...row }: Seen): string {
  const index = scheduled_index ?? row.next_index;
  return `${index} on ${scheduled_delivery_date ?? row.next_delivery_date}, ${row.next_billed_index - row.next_index} owed`;
}

/** The schedule says of the next delivery what it did; where its day has come, the delivery is counted from where it stands. */
function isSameSchedule({ before, now, today, slot }: Change): boolean {
  if (before.anchor_date !== now.anchor_date) return false;
  if (scheduleOf(before) === scheduleOf(now)) return true;
  const stored = { ...before, scheduled_index: null, scheduled_delivery_date: null };
  return isTooLate(before, { today, slot }) && scheduleOf(stored) === scheduleOf(now);
}

/** In a slot a delivery is packed and charged up to two weeks before it. A charge is not put before the day of which its customer was told. */
export function isTooLate(
  { scheduled_delivery_date: day, last_payment_reminder_billing_date: told }: Seen,
  { today, slot }: Pick<Change, "today" | "slot">,
): boolean {
  const earliest = day && plusDays(day, slot ? -14 : 0);
  return earliest !== null && (earliest <= today || (told !== null && earliest < told));
}

function textOf(row: Seen): string {
  const { next_index, next_delivery_date, next_billing_date, next_production_date } = row;
  const packed = next_production_date === null ? "" : `, packed ${next_production_date}`;
  return `${next_index} on ${next_delivery_date}${packed}, billed ${next_billing_date} (${scheduleOf(row)})`;
}

/** A date that is still to come, and was put on a day that is closed. */
function dateOnClosedDay(
  history: ClosedDayHistory,
  { before, now, since, today }: Change,
): string | undefined {
  for (const kind of closedKinds) {
    const column = `next_${kind}_date` as const;
    const day = now[column];
    if (day === null || day <= today || day === before[column]) continue;
    if (history.isSurelyClosed(since, { kind, slotId: now.delivery_slot_id }, day))
      return `${kind} on ${day}`;
  }
  return undefined;
}

/** A skip that is undone brings back the dates of before it, from wherever these were moved. */
function movedWithoutCause(history: ClosedDayHistory, change: Change): string | undefined {
  const { now, entries, since, today, slot } = change;
  const isOver = now.next_delivery_date === null;
  if (
    isOver ||
    now.scheduled_index === null ||
    isKeptByFrequency(change) ||
    entries.some(({ action }) => bringsBack.includes(action))
  )
    return undefined;
  if (!history.mayConcern(since, now.delivery_slot_id)) return "nothing is closed";
  for (let index = now.scheduled_index; index < now.next_index; index++) {
    const isNext = index === now.scheduled_index;
    const day = isNext ? now.scheduled_delivery_date! : nthDay(gridOf(now, slot), index);
    if (day < possibleFrom(today, slot)) continue;
    // Those up to the day on which the next one stayed are over, whether or not it falls away.
    if (!isNext && day <= now.scheduled_delivery_date!) continue;
    const hasClosedDay = daysAround(day).some((one) =>
      closedKinds.some((kind) => history.mayBeClosed(since, { kind, slotId: now.delivery_slot_id }, one)),
    );
    if (!hasClosedDay) return `the ${index}th falls away, ${day}`;
  }
  return undefined;
}

/** Another frequency leaves the next dates where closed days have moved them, though these may be open by now: they have yet to follow. */
function isKeptByFrequency({ before, now, entries }: Change): boolean {
  return (
    before.scheduled_index !== null &&
    before.next_delivery_date === now.next_delivery_date &&
    now.scheduled_index === now.next_index &&
    entries.some(({ action }) => action === "frequency_changed")
  );
}

/** The first delivery that is still possible tomorrow. */
function possibleFrom(today: string, slot: Change["slot"]): string {
  const tomorrow = plusDays(today, 1);
  return slot ? firstPackedFrom(slot, tomorrow) : tomorrow;
}

/** The days within two weeks of one: a delivery is charged and packed on some of them, and others of the schedule take its place on them. */
function daysAround(day: string): string[] {
  return Array.from({ length: 29 }, (_, nth) => plusDays(day, nth - 14));
}

/** After a delivery the next one of the schedule follows; those between have passed. */
function passedWithoutDelivery(
  history: ClosedDayHistory,
  { before, now, entries, orders, since, today, slot }: Change,
): string | undefined {
  const delivered = deliveredBy(before, { entries, orders });
  const hasSchedule = now.next_delivery_date !== null && before.next_delivery_date !== null;
  if (delivered === undefined || !hasSchedule || before.anchor_date !== now.anchor_date) return undefined;
  // A charge that was begun before the schedule was moved on moves it no further.
  if (
    before.next_delivery_date! > delivered &&
    scheduleOf(before).split(",")[0] === scheduleOf(now).split(",")[0]
  )
    return undefined;
  // Deliveries that the charge of an earlier life has paid for come first: the life's own are still to come.
  if (now.next_index === before.next_index && now.next_billed_index > before.next_billed_index)
    return undefined;
  const next = now.scheduled_index ?? now.next_index;
  if (before.next_delivery_date! <= delivered && next <= before.next_index)
    return `the ${next}th comes again`;
  const which = { kind: "delivery", slotId: now.delivery_slot_id } as const;
  const isSkip = entries.some(({ action }) => action === "subscription_skipped");
  const possible = isSkip && slot ? firstPackedFrom(slot, today) : plusDays(possibleFrom(today, slot), -1);
  const bound = firstOpenDelivery(laterOf(delivered, possible));
  for (let index = before.next_index + 1; index < next; index++) {
    const day = nthDay(gridOf(before, slot), index);
    if (day > bound) return `the ${index}th is left out, ${day}`;
  }
  return undefined;

  /** The first open day from one on, in a slot of the slot's: a delivery whose own day was closed is made, or left out, on it. */
  function firstOpenDelivery(from: string): string {
    const day = nthDay({ anchor: from, anchorDay: null, unit: "DAY", count: 1, slot }, 0);
    const open = history.firstSurelyOpen(since, which, day);
    return open === day ? day : firstOpenDelivery(open);
  }
}

/** The day of the delivery that a commit has made, or has left out. */
function deliveredBy(
  before: Seen,
  { entries, orders }: Pick<Change, "entries" | "orders">,
): string | undefined {
  const success = entries.find(({ action }) => action === "billing_succeeded");
  if (success?.snapshot) {
    const { delivery_date, isOffSchedule } = snapshotOf({ snapshot: success.snapshot });
    return isOffSchedule ? undefined : delivery_date;
  }
  const skip = entries.find(({ action }) => action === "subscription_skipped");
  if (skip) {
    if (skip.snapshot) return snapshotOf({ snapshot: skip.snapshot }).delivery_date;
    return JSON.parse(skip.metadata ?? "{}").deliveries === undefined
      ? undefined
      : before.next_delivery_date!;
  }
  return orders.find(({ billing_attempt_id }) => billing_attempt_id === null)?.delivery_date;
}

function gridOf(row: Seen, slot: Change["slot"]): Grid {
  return {
    anchor: row.anchor_date,
    anchorDay: row.anchor_day,
    unit: row.delivery_interval,
    count: row.delivery_interval_count,
    slot,
  };
}
