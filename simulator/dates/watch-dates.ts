import { raw, rows } from "../../src/base/db/statement.ts";
import { snapshotOf } from "../../src/domain/billing/snapshot.ts";
import { firstAfter, type Grid, keptDay, laterOf, nthDay, plusDays } from "../accounts/calendar.ts";
import { changesOf } from "../accounts/seen.ts";
import { todayOf } from "../accounts/today.ts";
import { invocationMsMax } from "../kernel/pass-time.ts";
import type { World } from "../kernel/world.ts";
import { closedDaysOf } from "./history.ts";
import { bySchedule } from "./scheduled.ts";

/** The columns of a subscription that say when it is delivered and billed. */
type Dated = {
  id: string;
  status: string;
  activation: number;
  entries: number;
  anchor_date: string;
  anchor_day: number | null;
  delivery_interval: string;
  delivery_interval_count: number;
  delivery_slot_id: string | null;
  next_index: number;
  next_billed_index: number;
  next_delivery_date: string | null;
  next_billing_date: string | null;
  scheduled_index: number | null;
  scheduled_delivery_date: string | null;
};

/** A subscription by its schedule; where there are closed days, also which delivery is made next, and when. */
type Planned = Dated & { made?: Made };
type Made = { index: number; delivery: string | null; billing: string | null; openFrom: OpenFrom };

type Entry = { action: string; metadata: string | null; snapshot: string | null };
/** The next dates that may follow a change. */
type Expected = { delivery: (string | null)[]; billing?: (string | null)[] };

/**
 * States how often a subscription is billed and delivered, commit by commit: its dates move only when a delivery is made or a
 * person asks for it, and then to the day that its grid, or the request, names. That each of these days is billed once and not
 * before, and none is left behind, other rules state, as they do where closed days take it to (closed-days/watch.ts).
 */
export async function watchDates(world: World): Promise<void> {
  for (const { before, now } of changesOf(world).rows) if (before) await checkDates(world, before, now);
}

async function checkDates(world: World, stored: Dated, storedNow: Dated): Promise<void> {
  const openFrom = openDaysOf(world);
  const { next_index: index, next_delivery_date: delivery, next_billing_date: billing } = stored;
  const made = openFrom && { index, delivery, billing, openFrom };
  const before: Planned = { ...bySchedule(stored), ...(made ? { made } : {}) };
  const now = bySchedule(storedNow);
  const isMoved =
    before.next_delivery_date !== now.next_delivery_date ||
    before.next_billing_date !== now.next_billing_date;
  if (!isMoved) return;
  const entries = await newEntries(world, now, now.entries - before.entries);
  const days = [todayOf(world), todayOf(world, invocationMsMax)];
  const isAgreed = days.some((today) => isAsExpected(now, expectedOf(before, now, entries, today)));
  if (isAgreed) return;
  const dates = (row: Dated) => `delivery ${row.next_delivery_date}, billing ${row.next_billing_date}`;
  world.report(
    rule,
    `${entries.map(({ action }) => action).join(", ")} on ${days[0]}: ${dates(before)} becomes ${dates(now)}`,
  );
}

/** Finds the first day from one on of which nobody who works now may think that it is closed; none where there are no closed days. */
function openDaysOf(world: World): OpenFrom | undefined {
  const history = closedDaysOf(world);
  const begun = { commit: Number.POSITIVE_INFINITY, at: world.clock - invocationMsMax };
  return history?.hasAny()
    ? (kind, day) => history.firstSurelyOpen(begun, { kind, slotId: null }, day)
    : undefined;
}

/** The first day from one on that is open for dates of a kind. */
type OpenFrom = (kind: "delivery" | "billing", day: string) => string;

const rule = "dates move as agreed";

function newEntries({ database, account }: World, { id }: Dated, count: number): Promise<Entry[]> {
  return rows(
    database,
    raw<Entry>(
      `SELECT l.action, l.metadata, a.snapshot FROM activity_logs AS l LEFT JOIN billing_attempts AS a
        ON a.account_seq = l.account_seq AND a.id = l.metadata ->> 'billing_attempt_id'
      WHERE l.account_seq = ? AND l.subscription_id = ? ORDER BY l.sequence DESC LIMIT ?`,
      account.seq,
      id,
      count,
    ),
  );
}

function isAsExpected(now: Dated, expected: Expected | "any" | undefined): boolean {
  if (expected === undefined) return false;
  if (expected === "any") return true;
  const isBilled = expected.billing === undefined || expected.billing.includes(now.next_billing_date);
  return isBilled && expected.delivery.includes(now.next_delivery_date);
}

/** The grid of a subscription, or one with its day of the month that is counted from another day on. */
function gridOf(row: Dated, from?: string): Grid {
  const grid = {
    anchor: row.anchor_date,
    anchorDay: row.anchor_day,
    unit: row.delivery_interval,
    count: row.delivery_interval_count,
  };
  return from === undefined ? grid : { ...grid, anchor: from, anchorDay: keptDay(grid, from) };
}

function owedBy(row: Dated): number {
  return row.next_billed_index - row.next_index;
}

function isEnded({ status }: Dated): boolean {
  return status === "CANCELLED" || status === "EXPIRED";
}

/** The dates after a delivery: the next day of the grid from tomorrow on, and the billing after what is still owed. */
function afterDelivery(now: Dated, { grid, delivery, owed, today, made }: LastDelivery): Expected {
  if (isEnded(now) && owed === 0) return { delivery: [null] };
  const first = made === undefined ? 0 : made.index + 1;
  const { n } = firstAfter(grid, laterOf(delivery, today), first);
  let last = n;
  while (made && isClosed(made, nthDay(grid, last))) last++;
  const indices =
    made === undefined ? [n] : Array.from({ length: last + 1 - first }, (_, nth) => first + nth);
  /** After the last cycle, or the subscription's end, nothing more is billed. */
  const billing = isEnded(now) ? [] : indices.map((index) => nthDay(grid, index + owed));
  return { delivery: indices.map((index) => nthDay(grid, index)), billing: [...billing, null] };
}

function isClosed({ openFrom }: Made, day: string): boolean {
  return openFrom("delivery", day) !== day;
}

/**
 * Closed days may have moved the next one to behind this delivery: any may follow that is after the one that was made, by its index; and where
 * they would move the next one before it, that falls away, and the one after it follows.
 */
type LastDelivery = { grid: Grid; delivery: string; owed: number; today: string; made: Made | undefined };

function nextDeliveryOf({ made, next_delivery_date }: Planned): string | null {
  return made ? made.delivery : next_delivery_date;
}

function shifted(date: string | null, days: number): string | null {
  return date && plusDays(date, days);
}

/** The dates that may follow the entries of a commit; undefined if none of them moves dates. */
function expectedOf(
  before: Planned,
  now: Dated,
  entries: Entry[],
  today: string,
): Expected | "any" | undefined {
  const entryOf = (...actions: string[]) => entries.find(({ action }) => actions.includes(action));
  const isEndedNow = isEnded(now) && now.next_billing_date === null;
  if (entryOf("subscription_cancelled", "subscription_expired")) return isEndedNow ? "any" : undefined;
  if (now.delivery_slot_id !== null) return entries.length > 0 ? "any" : undefined;
  const success = entryOf("billing_succeeded");
  if (success?.snapshot) return afterCharge(before, now, snapshotOf({ snapshot: success.snapshot }), today);
  const prepaid = entries.find(({ metadata }) => metadata !== null && JSON.parse(metadata).prepaid === true);
  if (prepaid) {
    const planned = laterOf(nextDeliveryOf(before) ?? today, today);
    return afterDelivery(now, {
      grid: gridOf(before),
      delivery: before.made?.openFrom("delivery", planned) ?? planned,
      owed: owedBy(before) - 1,
      today,
      made: before.made,
    });
  }
  const skip = entryOf("subscription_skipped", "subscription_unskipped");
  if (skip) {
    if (skip.snapshot) return afterSkip(before, now, snapshotOf({ snapshot: skip.snapshot }), today);
    const { skip_weeks: weeks, deliveries } = JSON.parse(skip.metadata ?? "{}");
    if (deliveries !== undefined) return afterDeliveriesSkipped(before, now, skip, today);
    return afterWeeksSkipped(before, now, (skip.action === "subscription_skipped" ? 7 : -7) * weeks);
  }
  if (entryOf("subscription_change_undone")) return "any";
  if (entryOf("frequency_changed") && before.next_delivery_date !== null)
    return afterFrequencyChange(before, now);
  if (entryOf("delivery_rescheduled"))
    return before.made || (now.next_delivery_date ?? "") >= today ? "any" : undefined;
  if (entryOf("subscription_resumed", "subscription_reactivated")) return afterRestart(before, today);
  return undefined;
}

/** The next delivery stays. One that falls away on closed days leaves that to the next one. */
function afterFrequencyChange(before: Planned, now: Dated): Expected {
  const made = before.made && nthDay(gridOf(before), before.made.index);
  const kept = [before.next_delivery_date, ...(made ? [made] : [])].filter((day) => day !== null);
  const billed = kept.map((day) => nthDay(gridOf(now, day), owedBy(before)));
  return { delivery: kept, billing: [before.next_billing_date, ...billed, null] };
}

/**
 * All dates move by the weeks, from where they stand if that is where closed days leave them. If the charge would be on a closed day then, it
 * is counted from its delivery; and where deliveries are owed, these are the ones after that one, and the charge is that of the next.
 */
function afterWeeksSkipped(before: Planned, now: Dated, days: number): Expected {
  const { next_delivery_date: delivery, next_billing_date: billing, made } = before;
  const standing = shifted(made?.delivery ?? null, days);
  const charge = shifted(made?.billing ?? null, days);
  const cannotBe = made !== undefined && charge !== null && made.openFrom("billing", charge) !== charge;
  const stands = standing !== null && now.next_delivery_date === standing;
  const owed = owedBy(before);
  const counted =
    stands && owed > 0 ? nthDay(gridOf(now), firstAfter(gridOf(now), standing).n + owed - 1) : null;
  return {
    delivery: [delivery, made?.delivery ?? delivery].map((date) => shifted(date, days)),
    billing: [
      ...[billing, made?.billing ?? billing].map((date) => shifted(date, days)),
      ...(cannotBe && stands ? [standing] : []),
      ...(counted === null ? [] : [counted]),
    ],
  };
}

/** One delivery falls away, and what is owed stays owed; taken back, that delivery comes again. */
function afterDeliveriesSkipped(before: Planned, now: Dated, { action }: Entry, today: string): Expected {
  if (action === "subscription_skipped") {
    const planned = laterOf(nextDeliveryOf(before) ?? today, today);
    const delivery = before.made?.openFrom("delivery", planned) ?? planned;
    const { made } = before;
    return afterDelivery(now, { grid: gridOf(before), delivery, owed: owedBy(before), today, made });
  }
  const again = now.next_delivery_date ?? today;
  const isUndone = before.made
    ? now.next_index < before.next_index
    : firstAfter(gridOf(now), again).day === before.next_delivery_date;
  return { delivery: isUndone ? [again] : [] };
}

type Snapshot = { delivery_date: string; isOffSchedule: boolean; deliveries: number };

/** A charge of a life that is over moves only what is owed. */
function afterCharge(before: Planned, now: Dated, snapshot: Snapshot, today: string): Expected | "any" {
  const { delivery_date: delivery, isOffSchedule, deliveries } = snapshot;
  if (isEnded(before)) return now.next_billing_date === null ? "any" : { delivery: [] };
  const owed = owedBy(before) + deliveries - 1;
  const grid = gridOf(before, isOffSchedule ? delivery : undefined);
  /** The next delivery stays on its day, or on that which closed days have put it off to, once its own has come. */
  const later = {
    delivery: [before.next_delivery_date, nextDeliveryOf(before)],
    billing: [null, nthDay(gridOf(before), now.next_billed_index)],
  };
  /** Resumed meanwhile, a charge pays for its own delivery, and the date resumed at stays, unless it has come. */
  const isPassed = (nextDeliveryOf(before) ?? "") > laterOf(delivery, today);
  if (!isOffSchedule && isPassed && owed === 0) return later;
  const made = before.made && { ...before.made, ...(isOffSchedule ? { index: 0 } : {}) };
  const charged = afterDelivery(now, { grid, delivery, owed, today, made });
  /** Resumed meanwhile, the charge pays for the delivery that is planned now. */
  const planned = laterOf(delivery, (!isOffSchedule && before.next_delivery_date) || delivery);
  const resumed = afterDelivery(now, { grid, delivery: planned, owed, today, made });
  return {
    delivery: [...charged.delivery, ...resumed.delivery, ...later.delivery],
    billing: [...(charged.billing ?? []), ...(resumed.billing ?? []), ...later.billing],
  };
}

/** Out of stock, a cycle's delivery is left out: the next one is billed. A date that was resumed at meanwhile stays. */
function afterSkip(
  before: Planned,
  now: Dated,
  { delivery_date: delivery }: Snapshot,
  today: string,
): Expected {
  if ((nextDeliveryOf(before) ?? "") > laterOf(delivery, today))
    return { delivery: [before.next_delivery_date], billing: [before.next_billing_date] };
  const { made } = before;
  return afterDelivery(now, { grid: gridOf(before), delivery, owed: owedBy(before), today, made });
}

/** The day asked for, the day that was planned, or the first of the grid from tomorrow on: nothing is charged at once. */
function afterRestart(before: Planned, today: string): Expected {
  const planned = before.next_delivery_date;
  /** Those that fell away on closed days may come after all. */
  const from = Math.min(before.next_index, before.scheduled_index ?? before.next_index);
  const { n } = firstAfter(gridOf(before), today, from);
  /** One that closed days have moved to behind today is still to come. */
  const first = before.made ? from : n;
  /** A request that is repeated over HTTP names the day that it named at first. */
  const asked = [0, 1, 2].map((days) => plusDays(today, days));
  return {
    delivery: [
      ...asked,
      ...(planned !== null && (planned > today || owedBy(before) > 0) ? [planned] : []),
      ...Array.from({ length: n + 1 - first }, (_, nth) => nthDay(gridOf(before), first + nth)),
    ],
  };
}
