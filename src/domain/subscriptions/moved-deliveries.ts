import { type Day, toDay } from "../../base/lib/calendar.ts";
import { type ClosedDay, closureOn, listDays } from "../delivery/closed-days.ts";
import { indexFrom, nthDay, type Schedule } from "./cadence.ts";
import type { Calendar } from "./calendar.ts";

/** A schedule in a calendar that has closed days. */
export type ScheduleAt = { schedule: Schedule; calendar: Pick<Calendar, "slot" | "closed"> };

/** Where the deliveries of a schedule stand that closed days move, by the day that the schedule gives them; null falls away. */
export type Moves = ReadonlyMap<Day, Day | null>;

/**
 * The deliveries of a schedule that closed days move. Each goes to the nearest day that is open and on which no other delivery of the
 * schedule stands. The days are then given to the deliveries in order, so that none overtakes another.
 */
export function movedDeliveries(at: ScheduleAt): Moves {
  const known = movesOfSchedules(at.calendar.closed);
  const { anchor, interval, rhythm } = at.schedule;
  const key = [anchor, interval.unit, interval.count, rhythm?.day_of_week, at.calendar.slot?.id].join();
  const moves = known.get(key) ?? calculateMoves(at);
  if (known.size >= mostKnown) known.clear();
  known.set(key, moves);
  return moves;
}

/** Whether the schedule itself has a delivery on this day. */
export function isScheduled({ schedule }: ScheduleAt, day: Day): boolean {
  return dayOf(schedule, indexFrom(schedule, day)) === day;
}

/**
 * The nearest open day before or after one, a day of the slot where there is a slot, on which no delivery of the schedule stands; undefined where
 * so many days on end have one that there is none in reach.
 */
export function nearestFreeDay(
  at: ScheduleAt,
  day: Day,
  direction: -1 | 1,
  isTaken: (day: Day) => boolean,
): Day | undefined {
  const { slot, closed } = at.calendar;
  const where = { kind: "delivery", slotId: slot?.id } as const;
  const step = direction * (slot ? 7 : 1);
  let occupied = 0;
  for (let other = day + step; occupied < reach; other += step) {
    if (closureOn(closed, where, other)) continue;
    if (!isScheduled(at, other) && !isTaken(other)) return other;
    occupied++;
  }
  return undefined;
}

/** So many open days with a delivery of their own are passed over at most: a schedule of every day has no free one. */
const reach = 60;

function calculateMoves(at: ScheduleAt): Moves {
  const { slot, closed } = at.calendar;
  const where = { kind: "delivery", slotId: slot?.id } as const;
  const moves = new Map<Day, Day | null>();
  const taken = new Set<Day>();
  for (const day of listDays(closed)) {
    const closure = closureOn(closed, where, day);
    if (!closure || !isScheduled(at, day)) continue;
    const direction = closure.rule === "earlier" ? -1 : 1;
    const target =
      closure.rule === "skip" ? undefined : nearestFreeDay(at, day, direction, (other) => taken.has(other));
    moves.set(day, target ?? null);
    if (target !== undefined) taken.add(target);
  }
  return inOrder(at.schedule, moves);
}

/** The same days, the earlier for the earlier delivery: also deliveries that stand between a day and where it is moved to take part. */
function inOrder(schedule: Schedule, moves: Map<Day, Day | null>): Moves {
  const ordered = new Map<Day, Day | null>(moves);
  for (const { from, to } of stretchesOf(moves)) {
    const between = scheduledWithin(schedule, from, to).filter((day) => moves.get(day) !== null);
    const days = between.map((day) => moves.get(day) ?? day).sort((a, b) => a - b);
    for (const [nth, day] of between.entries()) {
      const target = days[nth] as Day;
      if (target === day) ordered.delete(day);
      else ordered.set(day, target);
    }
  }
  return ordered;
}

type Stretch = { from: Day; to: Day };

/** What deliveries pass over, each of them joined with those that it overlaps. */
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

/** The days that the schedule gives to deliveries, each once. */
function scheduledWithin(schedule: Schedule, from: Day, to: Day): Day[] {
  const days = new Set<Day>();
  for (let index = indexFrom(schedule, from); ; index++) {
    const day = dayOf(schedule, index);
    if (day > to) return [...days];
    days.add(day);
  }
}

function dayOf({ anchor, interval, rhythm }: Schedule, index: number): Day {
  return nthDay(toDay(anchor), interval, index, rhythm);
}

/** The moves of schedules that were asked for, for as long as their account's closed days are the same. */
function movesOfSchedules(closed: ClosedDay[]): Map<string, Moves> {
  const known = knownMoves.get(closed) ?? new Map<string, Moves>();
  knownMoves.set(closed, known);
  return known;
}

const knownMoves = new WeakMap<ClosedDay[], Map<string, Moves>>();
const mostKnown = 1000;
