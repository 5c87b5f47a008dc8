import { type Day, toDay } from "../../../../base/lib/time/calendar.ts";
import { closureOn, listDays } from "../../../delivery/closed-days.ts";
import { type DateKind, seekIndex } from "../cadence.ts";
import type { Calendar } from "../calendar.ts";
import { scheduleOf } from "../next-dates.ts";
import { plannedDatesOf, type Scheduled } from "./delivery-walk.ts";
import { movedDays, type ScheduleAt } from "./moved-days.ts";

type Asked = { kind: "delivery" | "billing"; from: number; day: Day; isBilled: boolean };

/**
 * The deliveries from the index `from` on that come on a day or after it, or are billed from then on, by index and in order: those that closed
 * days have put off to then, and all that the schedule has from then on. However far that day is, none of the others is looked at.
 */
export function* indexesToCome(
  row: Scheduled,
  calendar: Calendar,
  { kind, from, day, isBilled }: Asked,
): Generator<number, never> {
  const at = { schedule: scheduleOf(row, calendar.slot), calendar, everyNth: row.deliveries_per_billing };
  const first = seekIndex(at.schedule, kind, { from, day });
  if (first > from)
    for (const index of movedIndexes(at, from, first)) {
      const date = plannedDatesOf(row, index, calendar, isBilled)?.[kind];
      if (date && toDay(date) >= day) yield index;
    }
  for (let index = first; ; index++) yield index;
}

/** The deliveries, up to one, of which closed days may have moved a date. */
function movedIndexes(at: ScheduleAt & { everyNth: number }, from: number, until: number): number[] {
  const found = new Set<number>();
  for (const { kind, days } of concernedDays(at))
    for (const day of days) {
      const end = Math.min(until, seekIndex(at.schedule, kind, { from, day: day + 1 }));
      for (let index = seekIndex(at.schedule, kind, { from, day }); index < end; index++) found.add(index);
    }
  return [...found].sort((a, b) => a - b);
}

/** The days of each kind from which closed days move dates. Any delivery of a prepaid plan may be the one that is billed. */
function concernedDays({
  everyNth,
  ...at
}: ScheduleAt & { everyNth: number }): { kind: DateKind; days: Iterable<Day> }[] {
  const { closed, slot } = at.calendar;
  if (closed.length === 0) return [];
  const isClosed = (day: Day) => closureOn(closed, { kind: "production", slotId: slot?.id }, day);
  const billings = Array.from({ length: everyNth }, (_, from) => ({
    kind: "billing" as const,
    days: movedDays({ ...at, kind: "billing", everyNth, from }).keys(),
  }));
  return [
    { kind: "delivery", days: movedDays({ ...at, kind: "delivery" }).keys() },
    { kind: "production", days: listDays(closed).filter(isClosed) },
    ...billings,
  ];
}
