import type { CalendarDate } from "../../../base/lib/time/dates.ts";
import type { ActorType } from "../../../kit/context.ts";
import { calendarOf, deliveriesOwed, scheduledBillings } from "../dates/index.ts";
import { blockedReason, cyclesAgreed, isOver, owesPayment } from "../lifecycle.ts";
import type { SubscriptionView } from "../queries.ts";

/** The cycles still to be billed before a customer may cancel, and the day of the last; null where it cannot be foreseen. */
type MinimumTerm = { cycles: number; until: CalendarDate | null };

/**
 * The number of cycles that are still to be billed before the viewer can cancel, and the day of the last of these billings: none while nothing
 * is billed, a payment is owed, or billing stands still.
 */
export function minimumTermOf(view: SubscriptionView): MinimumTerm {
  const { row, viewer } = view;
  const cycles = isOver(row) ? 0 : cyclesAgreed(row, viewer);
  const isGoingOn = row.status === "ACTIVE" && !owesPayment(row) && blockedReason(row) === null;
  return { cycles, until: cycles > 0 && isGoingOn ? lastBilling(view, viewer, cycles) : null };
}

/** Deliveries that are projected at most. A minimum that reaches further has no date. */
const projected = 400;

/** The billing after which the rule lets the viewer cancel, as the deliveries are projected. */
function lastBilling(view: SubscriptionView, viewer: ActorType, cycles: number): CalendarDate | null {
  const { row } = view;
  const count = deliveriesOwed(row) + cycles * row.deliveries_per_billing;
  if (count > projected) return null;
  const last = scheduledBillings(row, calendarOf(view)).find(
    ({ cycle }) => cyclesAgreed({ ...row, current_billing_cycle: cycle + 1 }, viewer) === 0,
  );
  return last?.day ?? null;
}
