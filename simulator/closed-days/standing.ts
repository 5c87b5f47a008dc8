import { dayNumber } from "../accounts/calendar.ts";
import { isTooLate } from "./check-dates.ts";
import type { Change, Seen } from "./rows.ts";

/**
 * Deliveries that stay where closed days have moved them, as their own day has passed. From then on they are counted from where they stand, which
 * is not the day that their index has in the schedule: closed days move them from there, and a skip by weeks does.
 */
export function newStandingDeliveries() {
  const standing = new Set<string>();

  return {
    note({ before, now, today, slot }: Change): void {
      const stored = { ...before, scheduled_index: null, scheduled_delivery_date: null };
      const isOver = before.next_delivery_date === null || now.next_delivery_date === null;
      if (isOver || !isTooLate(before, { today, slot })) return;
      if (placeOf(stored) === placeOf(now)) standing.add(placeOf(now));
    },
    has: (row: Seen): boolean => standing.has(placeOf(row)),
  };
}

/** Where a subscription's next delivery is counted from, before closed days move it: so many days after the anchor, both of which a skip moves. */
function placeOf({ scheduled_index, scheduled_delivery_date, ...row }: Seen): string {
  const day = scheduled_delivery_date ?? row.next_delivery_date!;
  return `${row.id}, ${scheduled_index ?? row.next_index}: ${dayNumber(day) - dayNumber(row.anchor_date)}`;
}
