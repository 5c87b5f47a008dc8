import { invalid } from "../../../base/errors.ts";
import { addDays, type CalendarDate, dayOfWeek, toDay } from "../../../base/lib/time/calendar.ts";
import { type ClosedKind, closureOn } from "../../delivery/closed-days.ts";
import { calculateDates, earliestPlanned } from "./cadence.ts";
import type { Calendar } from "./calendar.ts";

/**
 * The earliest possible delivery: today, or the first day that is open, in a slot one of its days that leaves time for packing and the
 * courier.
 */
export function earliestDelivery(calendar: Calendar, today: CalendarDate): CalendarDate {
  let delivery = earliestPlanned(calendar.slot?.day, today);
  while (!isOpenOn(calendar, "delivery", delivery) || packingDate(calendar, delivery, today) === undefined)
    delivery = addDays(delivery, stepOf(calendar));
  return delivery;
}

/**
 * The day on which a delivery is packed that cannot be packed before today; null where nothing is. Undefined where no day up to the delivery is
 * open.
 */
export function packingDate(
  calendar: Calendar,
  delivery: CalendarDate,
  today: CalendarDate,
): CalendarDate | null | undefined {
  const { production } = calculateDates(delivery, calendar.slot?.day, today);
  if (production === null || isOpenOn(calendar, "production", production)) return production;
  for (let day = addDays(production, -1); day >= today; day = addDays(day, -1))
    if (isOpenOn(calendar, "production", day)) return day;
  return firstOpen(calendar, "production", { from: production, until: delivery });
}

/** The first open day of a span of days; undefined where none is. */
export function firstOpen(
  calendar: Calendar,
  kind: ClosedKind,
  { from, until }: { from: CalendarDate; until: CalendarDate },
): CalendarDate | undefined {
  for (let day = from; day <= until; day = addDays(day, 1)) if (isOpenOn(calendar, kind, day)) return day;
  return undefined;
}

export function isOpenOn({ slot, closed }: Calendar, kind: ClosedKind, date: CalendarDate): boolean {
  return closed.length === 0 || !closureOn(closed, { kind, slotId: slot?.id }, toDay(date));
}

/** Throws VALIDATION_FAILED for a delivery that is not on the slot's day of the week, or is on a closed day. */
export function requireDeliverable(date: CalendarDate, calendar: Calendar, path: string): void {
  const { slot } = calendar;
  if (slot && dayOfWeek(date) !== slot.day.day_of_week)
    throw invalid([{ path, message: "must be on the delivery slot's day of the week" }]);
  requireOpenDay(date, { calendar, kind: "delivery" }, path);
}

/** Throws VALIDATION_FAILED for a date on a closed day, naming it and the next open one. */
export function requireOpenDay(
  date: CalendarDate,
  { calendar, kind }: { calendar: Calendar; kind: ClosedKind },
  path: string,
): void {
  const closure = closureOn(calendar.closed, { kind, slotId: calendar.slot?.id }, toDay(date));
  if (!closure) return;
  let next = date;
  do next = addDays(next, kind === "delivery" ? stepOf(calendar) : 1);
  while (!isOpenOn(calendar, kind, next));
  throw invalid([{ path, message: `is a closed day (${closure.label}); the next open day is ${next}` }]);
}

/** Deliveries of a slot are a week apart. */
function stepOf({ slot }: Calendar): number {
  return slot ? 7 : 1;
}
