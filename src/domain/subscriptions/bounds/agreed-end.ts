import { DomainError } from "../../../base/errors.ts";
import { earlierOf } from "../../../base/lib/time/calendar.ts";
import type { CalendarDate } from "../../../base/lib/time/dates.ts";
import type { Subscription } from "../tables.ts";

/** A subscription that ends by itself is charged neither on or after a day (ends_on) nor after a cycle (ends_after_cycle). */
type AgreedEnd = Pick<Subscription, "ends_on" | "ends_after_cycle">;

/** Whether the day on which it ends has come, so that nothing may be charged any more. */
export function hasReachedEnd({ ends_on }: Pick<AgreedEnd, "ends_on">, day: CalendarDate): boolean {
  return Boolean(ends_on && ends_on <= day);
}

/** The columns that a paid cycle sets where it was the last that was agreed on: the subscription ends on that day. */
export function endAfterCycle(
  { ends_on, ends_after_cycle }: AgreedEnd,
  cycle: number,
  today: CalendarDate,
): Partial<AgreedEnd> {
  if (!ends_after_cycle || cycle < ends_after_cycle) return {};
  return { ends_on: earlierOf(today, ends_on ?? today) };
}

/** Throws INVALID_STATE from the day on which it ends on, naming it. */
export function requireBeforeEnd(row: Pick<AgreedEnd, "ends_on">, today: CalendarDate): void {
  if (hasReachedEnd(row, today))
    throw new DomainError(
      "INVALID_STATE",
      `Cannot charge from ${row.ends_on} on: the subscription ends then`,
    );
}

/** The columns of a subscription whose end nobody has agreed on, or that has ended. */
export const withoutAgreedEnd = { ends_on: null, ends_after_cycle: null } as const satisfies AgreedEnd;
