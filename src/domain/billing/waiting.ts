import { type Doubling, doublingPause } from "../../base/lib/backoff.ts";
import { type Instant, later } from "../../base/lib/time/dates.ts";
import { dayMs, hourMs } from "../../base/lib/time/durations.ts";
import type { Ctx } from "../../kit/context.ts";
import { suspendRetries } from "../retries/standing-still.ts";
import { missingFieldsOf } from "../subscriptions/address/complete-address.ts";
import { addressMissing, isAddressMissing, isWaiting, notWaiting } from "../subscriptions/lifecycle.ts";
import { combine, type Part } from "../subscriptions/part.ts";
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
    billing_retry_at: later(now, doublingPause(pausesMs, count - 1)),
  };
}

/** The wait for an address, which is not tried again until there is one; undefined where it waits for that already. */
export function waitForAddress(ctx: Ctx, row: Subscription): Part | undefined {
  if (isAddressMissing(row)) return undefined;
  const metadata = {
    cycle: row.current_billing_cycle,
    error_code: addressMissing,
    missing: missingFieldsOf(row),
  };
  return combine(suspendRetries(ctx, row), {
    entry: { action: "billing_waiting", metadata },
    columns: {
      billing_blocked_reason: addressMissing,
      billing_waiting_since: row.billing_waiting_since ?? ctx.now,
      billing_retry_at: null,
    },
  });
}

/** Whether a wait is worth an entry: it has just begun, or its cause has changed. */
export function isNews(row: Wait, code: string): boolean {
  return !isWaiting(row) || row.billing_blocked_reason !== code;
}

/** The time that billing has waited for others, in milliseconds; the days of retries of an open episode come that much later. */
export function waitedMs({ billing_waiting_since: since }: Wait, now: Instant): number {
  return since === null ? 0 : Math.max(0, Date.parse(now) - Date.parse(since));
}

/** Before each next try 1, 2, 4, 8 and 16 hours, then 24 each time, as often as it takes. */
const pausesMs: Doubling = { first: hourMs, longest: dayMs };

/** Ends a wait whose cause is over; the history says so where billing has waited. */
export function endWait(row: Subscription): Part {
  return {
    columns: notWaiting,
    ownEntries: isWaiting(row) ? [{ action: "billing_wait_ended" }] : [],
  };
}
