import { DomainError, invalid } from "../../../base/errors.ts";
import { addDays, laterOf } from "../../../base/lib/time/calendar.ts";
import type { CalendarDate } from "../../../base/lib/time/dates.ts";
import type { ActorType } from "../../../kit/context.ts";
import type { Subscription } from "../tables.ts";

/** A subscription that was moved in is not charged before a day, as the system that it comes from may charge until then. */
type Bound = Pick<Subscription, "no_charge_before">;

/** The day on which it may be charged first, while that is to come. A day that has come binds nothing, and stays. */
export function dayToWaitFor(
  { no_charge_before: day }: Bound,
  today: CalendarDate,
): CalendarDate | undefined {
  return day !== null && day > today ? day : undefined;
}

/** The first day from tomorrow on on which it may be charged. */
export function chargeableFrom(row: Bound, today: CalendarDate): CalendarDate {
  const tomorrow = addDays(today, 1);
  return laterOf(tomorrow, row.no_charge_before ?? tomorrow);
}

/** Throws INVALID_STATE before the day, naming it. */
export function requireChargeable(row: Bound, today: CalendarDate): void {
  const day = dayToWaitFor(row, today);
  if (day !== undefined)
    throw new DomainError(
      "INVALID_STATE",
      `Cannot charge before ${day}, the subscription's no_charge_before`,
    );
}

/** Refuses that people move the next charge to before the day. Throws VALIDATION_FAILED at `path`. */
export function requireChargeableOn(
  { row, today, viewer }: { row: Bound; today: CalendarDate; viewer: ActorType },
  { defaults, columns }: { defaults?: Moved; columns?: Moved },
  path: string,
): void {
  const day = dayToWaitFor(row, today);
  if (viewer === "system" || day === undefined || !isEarlier({ ...defaults, ...columns }, day)) return;
  throw invalid([{ path, message: `must not lead to a charge before ${day}` }]);
}

/** The columns of a change, whose charge comes on the day where it would have come before. */
export function chargedFrom<Columns extends Moved>(
  row: Bound,
  columns: Columns,
  today: CalendarDate,
): Columns {
  const day = dayToWaitFor(row, today);
  return day !== undefined && isEarlier(columns, day) ? { ...columns, next_billing_date: day } : columns;
}

type Moved = Partial<Pick<Subscription, "next_billing_date">>;

function isEarlier({ next_billing_date: billing = null }: Moved, day: CalendarDate): boolean {
  return billing !== null && billing < day;
}
