import type { Instant } from "../../../base/lib/time/dates.ts";
import { dayMs } from "../../../base/lib/time/durations.ts";
import type { BillingAttempt } from "../tables.ts";

/** An attempt whose outcome is still open after this many claims, or this long, is for people to look at. */
export const mostClaims = 20;

/** Claims that count against an attempt: not those that waited for the customer, or for a payment that takes days, or found the store throttled. */
export function countedClaims({ claims, uncounted_claims }: Age): number {
  return claims - uncounted_claims;
}

/** Whether the outcome of an attempt has been open for too long; an attempt that waits for its customer never is. */
export function isForTooLong(attempt: Age, now: Instant): boolean {
  return (
    attempt.open_since !== null &&
    (countedClaims(attempt) >= mostClaims || Date.parse(now) - Date.parse(attempt.open_since) >= longestMs)
  );
}

const longestMs = dayMs;

type Age = Pick<BillingAttempt, "claims" | "uncounted_claims" | "open_since">;
