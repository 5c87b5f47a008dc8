import { type Day, toDay } from "../../../../base/lib/time/calendar.ts";
import { type ClosedDay, closureOn, listDays } from "../../../delivery/closed-days.ts";
import { dayOfKind, type Schedule, seekIndex } from "../cadence.ts";
import type { Calendar } from "../calendar.ts";

/** A schedule in a calendar that has closed days. */
export type ScheduleAt = { schedule: Schedule; calendar: Pick<Calendar, "slot" | "closed"> };

/**
 * The days that a schedule gives to dates of one kind: those of its deliveries, or those on which they are charged, of which a prepaid plan has
 * one for several deliveries.
 */
export type ScheduledDays = ScheduleAt &
  ({ kind: "delivery" } | { kind: "billing"; everyNth: number; from: number });

/** The days on which dates of a schedule stand that closed days move, by the day that the schedule gives them; null falls away. */
type Moves = ReadonlyMap<Day, Day | null>;

/**
 * The dates of a schedule that closed days move. Each goes to the nearest day that is open and on which no other date of its kind stands. The
 * days are then given to the dates in order, so that none overtakes another.
 */
export function movedDays(days: ScheduledDays): Moves {
  const known = movesOfSchedules(days.calendar.closed);
  const { anchor, anchorDay, interval, rhythm } = days.schedule;
  const slot = rhythm && Object.values({ ...days.calendar.slot, day: JSON.stringify(rhythm) }).join();
  const which = days.kind === "delivery" ? "" : `${days.everyNth} ${days.from % days.everyNth}`;
  const key = [days.kind, which, anchor, anchorDay, interval.unit, interval.count, slot].join();
  const moves = known.get(key) ?? calculateMoves(days);
  if (known.size >= mostKnown) known.clear();
  known.set(key, moves);
  return moves;
}

/** Whether the schedule itself gives this day to a date of the kind. */
export function isScheduled(days: ScheduledDays, day: Day): boolean {
  return dayOfKind(days.schedule, days.kind, indexFromDay(days, day)) === day;
}

/**
 * The nearest open day before or after one, for a delivery in a slot a day of the slot, on which no date of the kind stands; undefined where
 * so many days on end have one that there is none in reach, or none since the schedule began.
 */
export function nearestFreeDay(
  days: ScheduledDays,
  day: Day,
  direction: -1 | 1,
  isTaken: (day: Day) => boolean = () => false,
): Day | undefined {
  const { slot, closed } = days.calendar;
  const where = { kind: days.kind, slotId: slot?.id };
  const step = direction * (slot && days.kind === "delivery" ? 7 : 1);
  const anchor = toDay(days.schedule.anchor);
  let occupied = 0;
  for (let other = day + step; occupied < reach; other += step) {
    if (occupied > 0 && other < anchor) return undefined;
    if (closureOn(closed, where, other)) continue;
    if (!isScheduled(days, other) && !isTaken(other)) return other;
    occupied++;
  }
  return undefined;
}

/** So many open days with a date of their own are passed over at most: a schedule of every day has no free one. */
const reach = 60;

function calculateMoves(days: ScheduledDays): Moves {
  const { slot, closed } = days.calendar;
  const where = { kind: days.kind, slotId: slot?.id };
  const moves = new Map<Day, Day | null>();
  const taken = new Set<Day>();
  for (const day of listDays(closed)) {
    const closure = closureOn(closed, where, day);
    if (!closure || !isScheduled(days, day)) continue;
    const direction = closure.rule === "earlier" ? -1 : 1;
    const target =
      closure.rule === "skip" ? undefined : nearestFreeDay(days, day, direction, (other) => taken.has(other));
    moves.set(day, target ?? null);
    if (target !== undefined) taken.add(target);
  }
  return inOrder(days, moves);
}

/** Gives the earlier day to the earlier date: dates that stand between a day and where it is moved take part, too. */
function inOrder(days: ScheduledDays, moves: Map<Day, Day | null>): Moves {
  const ordered = new Map<Day, Day | null>(moves);
  for (const { from, to } of stretchesOf(moves)) {
    const between = scheduledWithin(days, from, to).filter((day) => moves.get(day) !== null);
    const targets = between.map((day) => moves.get(day) ?? day).sort((a, b) => a - b);
    for (const [nth, day] of between.entries()) {
      const target = targets[nth] as Day;
      if (target === day) ordered.delete(day);
      else ordered.set(day, target);
    }
  }
  return ordered;
}

type Stretch = { from: Day; to: Day };

/** The stretches that dates pass over, each of them joined with those that it overlaps. */
function stretchesOf(moves: Map<Day, Day | null>): Stretch[] {
  const passed = [...moves]
    .filter((move): move is [Day, Day] => move[1] !== null)
    .map(([day, target]): Stretch => ({ from: Math.min(day, target), to: Math.max(day, target) }))
    .sort((a, b) => a.from - b.from);
  const joined: Stretch[] = [];
  for (const stretch of passed) {
    const last = joined.at(-1);
    if (last && stretch.from <= last.to) last.to = Math.max(last.to, stretch.to);
    else joined.push(stretch);
  }
  return joined;
}

/** The days that the schedule gives to dates of the kind, each once. */
function scheduledWithin(days: ScheduledDays, from: Day, to: Day): Day[] {
  const found = new Set<Day>();
  const step = days.kind === "billing" ? days.everyNth : 1;
  for (let index = indexFromDay(days, from); ; index += step) {
    const day = dayOfKind(days.schedule, days.kind, index);
    if (day > to) return [...found];
    found.add(day);
  }
}

/** The index of the first delivery whose date of the kind is on a day or after it. A prepaid plan is charged at each n-th alone. */
function indexFromDay(days: ScheduledDays, day: Day): number {
  const index = seekIndex(days.schedule, days.kind, { from: 0, day });
  if (days.kind === "delivery") return index;
  const { from, everyNth } = days;
  return index + ((((from - index) % everyNth) + everyNth) % everyNth);
}

/** The moves of schedules that were asked for, for as long as their account's closed days are the same. */
function movesOfSchedules(closed: ClosedDay[]): Map<string, Moves> {
  const known = knownMoves.get(closed) ?? new Map<string, Moves>();
  knownMoves.set(closed, known);
  return known;
}

const knownMoves = new WeakMap<ClosedDay[], Map<string, Moves>>();
const mostKnown = 1000;
