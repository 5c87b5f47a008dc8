import type { Instant } from "../lib/dates.ts";
import type { BillingAttempt } from "./tables.ts";

/** After so many claims, or so long, people have to look at an attempt whose outcome is still open. */
export const mostClaims = 20;
const longestMs = 24 * 3_600_000;

type Age = Pick<BillingAttempt, "claims" | "uncounted_claims" | "open_since">;

/** Claims that count against an attempt: those in which nobody was waited for. */
export const countedClaims = ({ claims, uncounted_claims }: Age): number => claims - uncounted_claims;

/** Whether the outcome of an attempt has been open for too long; never while it waits for its customer. */
export const isForTooLong = (attempt: Age, now: Instant): boolean =>
  attempt.open_since !== null &&
  (countedClaims(attempt) >= mostClaims || Date.parse(now) - Date.parse(attempt.open_since) >= longestMs);
