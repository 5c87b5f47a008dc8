import { type Instant, later } from "../../base/lib/dates.ts";
import { isWaiting, notWaiting } from "../subscriptions/lifecycle.ts";
import type { Part } from "../subscriptions/part.ts";
import type { Subscription } from "../subscriptions/tables.ts";

type Wait = Pick<
  Subscription,
  "billing_blocked_reason" | "billing_waiting_since" | "billing_wait_count" | "billing_retry_at"
>;

/** The columns after a failure that is not the customer's: billing is tried again later, less and less often. */
export function waitAgain(row: Wait, code: string, now: Instant): Wait {
  const count = row.billing_wait_count + 1;
  return {
    billing_blocked_reason: code,
    billing_waiting_since: row.billing_waiting_since ?? now,
    billing_wait_count: count,
    billing_retry_at: later(now, waitHours(count) * hourMs),
  };
}

/** Whether a wait is worth an entry: it has just begun, or its cause has changed. */
export function isNews(row: Wait, code: string): boolean {
  return !isWaiting(row) || row.billing_blocked_reason !== code;
}

/** How long billing has waited for others, in milliseconds; the customer's days of retries come that much later. */
export function waitedMs({ billing_waiting_since: since }: Wait, now: Instant): number {
  return since === null ? 0 : Math.max(0, Date.parse(now) - Date.parse(since));
}

const hourMs = 3_600_000;
const longestHours = 24;

/** Hours before the n-th next try: 1, 2, 4, 8, 16, then 24 each time, as often as it takes. */
function waitHours(count: number): number {
  return Math.min(longestHours, 2 ** Math.min(count - 1, 5));
}

/** Ends a wait whose cause is over; the history says so where billing has waited. */
export function endWait(row: Subscription): Part {
  return {
    columns: notWaiting,
    ownEntries: isWaiting(row) ? [{ action: "billing_wait_ended" }] : [],
  };
}
