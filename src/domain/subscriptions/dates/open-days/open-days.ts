import type { Day } from "../../../../base/lib/time/calendar.ts";
import { type ClosedKind, closureOn } from "../../../delivery/closed-days.ts";
import { planDays } from "../cadence.ts";
import { isScheduled, movedDays, nearestFreeDay, type ScheduleAt, type ScheduledDays } from "./moved-days.ts";

/** The days of one delivery: those that the schedule gives it, or those on which it can be made. One that is paid for has no billing. */
export type DeliveryDays = { delivery: Day; production: Day | null; billing: Day | null };

/** From when on days may be chosen for a delivery, its packing and its charge. */
export type Earliest = { delivery: Day; packing: Day; charge: Day };

/** A delivery as the schedule has it, its index, and how many deliveries one billing pays for. */
type Planned = { days: DeliveryDays; index: number; everyNth: number };

/**
 * The days on which a delivery that closed days concern can be made; undefined where it falls away. What is on an open day stays there, but a
 * delivery that is moved is packed for its new day. A charge goes before a delivery that moves earlier, and is never put before `earliest`:
 * rather is the delivery put off.
 */
export function toOpenDays(at: ScheduleAt, planned: Planned, earliest: Earliest): DeliveryDays | undefined {
  const { days } = planned;
  const from = days.billing === null ? earliest.delivery : Math.max(earliest.delivery, earliest.charge);
  let delivery = openDelivery(at, days.delivery, from);
  for (let tries = 0; delivery !== undefined && tries < mostTries; tries++) {
    const production = openProduction(at, days, delivery, earliest.packing);
    const billing =
      production === undefined ? undefined : openBilling(at, planned, delivery, earliest.charge);
    if (billing === "skipped") return undefined;
    if (production !== undefined && billing !== undefined) {
      const found = { delivery, production, billing };
      return isOvertaken(at, days.delivery, found) ? undefined : found;
    }
    delivery = nearestFreeDay({ ...at, kind: "delivery" }, delivery, 1);
  }
  return undefined;
}

/** Further days that are tried for a delivery on whose own it could not be packed or charged. */
const mostTries = 60;

/** The day on which the delivery can be made, or undefined where it falls away. One that would move to before `from` is put off. */
function openDelivery(at: ScheduleAt, day: Day, from: Day): Day | undefined {
  const days = { ...at, kind: "delivery" } as const;
  const moved = movedTo(days, day);
  if (moved === undefined || moved === day || moved >= from) return moved;
  const step = at.calendar.slot ? 7 : 1;
  const before = day >= from ? day : day + Math.floor((from - 1 - day) / step) * step;
  return nearestFreeDay(days, before, 1);
}

/**
 * Whether a delivery that was moved would be ordered before one that is to come later, and made on the day to which closed days move that
 * one, or after it: that one is the next then. Else it would be left out, though its own day may be open.
 */
function isOvertaken(at: ScheduleAt, day: Day, { delivery, production, billing }: DeliveryDays): boolean {
  if (delivery === day) return false;
  const ordered = billing ?? production ?? delivery;
  return [...movedDays({ ...at, kind: "delivery" })].some(
    ([later, moved]) =>
      later > Math.max(day, delivery) && moved !== null && moved > ordered && moved <= delivery,
  );
}

/** A day that the schedule does not give, as it was chosen before a slot or an interval changed, is moved by itself. */
function movedTo(days: ScheduledDays, day: Day): Day | undefined {
  if (isScheduled(days, day)) {
    const moved = movedDays(days).get(day);
    return moved === undefined ? day : (moved ?? undefined);
  }
  const closure = closureFor(days, days.kind, day);
  if (!closure) return day;
  if (closure.rule === "skip") return undefined;
  return nearestFreeDay(days, day, closure.rule === "earlier" ? -1 : 1);
}

/** The nearest open day up to the planned one; where that would be too early, the first one after. Null: nothing is packed. */
function openProduction(
  at: ScheduleAt,
  days: DeliveryDays,
  delivery: Day,
  earliest: Day,
): Day | null | undefined {
  const { rhythm } = at.schedule;
  const planned = delivery === days.delivery ? days.production : planDays(delivery, rhythm).production;
  if (planned === null) return null;
  const isOpen = (day: Day) => !closureFor(at, "production", day);
  const from = delivery === days.delivery ? planned : Math.max(planned, earliest);
  if (isOpen(from)) return from;
  return nearest(from, -1, earliest, isOpen) ?? nearest(Math.max(from, earliest), 1, delivery, isOpen);
}

function openBilling(
  at: ScheduleAt,
  { days, index, everyNth }: Planned,
  delivery: Day,
  earliest: Day,
): Day | null | undefined | "skipped" {
  const planned = billingFor(at, days, delivery, earliest);
  if (planned === null) return null;
  const billings: ScheduledDays = { ...at, kind: "billing", everyNth, from: index };
  const moved = movedTo(billings, planned);
  if (moved === undefined) return "skipped";
  const isInTime = moved >= earliest || (moved === planned && delivery === days.delivery);
  if (isInTime) return moved <= delivery ? moved : before(billings, planned);
  return after(billings, planned);

  function before(all: ScheduledDays, day: Day): Day | undefined {
    const found = nearestFreeDay(all, Math.min(day, delivery + 1), -1);
    return found !== undefined && found >= earliest ? found : undefined;
  }

  function after(all: ScheduledDays, day: Day): Day | undefined {
    const found = nearestFreeDay(all, Math.max(day, earliest - 1), 1);
    return found !== undefined && found <= delivery ? found : undefined;
  }
}

/** The charge keeps its day, unless its delivery moves earlier. */
function billingFor(at: ScheduleAt, days: DeliveryDays, delivery: Day, earliest: Day): Day | null {
  if (days.billing === null || delivery >= days.delivery) return days.billing;
  const along = Math.min(days.billing, planDays(delivery, at.schedule.rhythm).billing);
  return along === days.billing ? along : Math.max(along, earliest);
}

/** The first day from one on, up to the last, that is right. */
function nearest(from: Day, direction: -1 | 1, last: Day, isRight: (day: Day) => boolean): Day | undefined {
  for (let day = from; direction === 1 ? day <= last : day >= last; day += direction)
    if (isRight(day)) return day;
  return undefined;
}

function closureFor({ calendar }: ScheduleAt, kind: ClosedKind, day: Day) {
  return closureOn(calendar.closed, { kind, slotId: calendar.slot?.id }, day);
}
