import { type Instant, later } from "../../base/lib/time/dates.ts";
import { challengeMs } from "../../stores/port.ts";
import type { BillingAttempt } from "./tables.ts";

type Challenge = Pick<BillingAttempt, "status" | "challenged_at">;

/** Until when the customer can confirm the payment; null unless the attempt waits for that. A review has no end by time. */
export function challengeEnd({ status, challenged_at }: Challenge): Instant | null {
  return status === "ACTION_REQUIRED" && challenged_at !== null ? endOf(challenged_at) : null;
}

/** Whether the customer's time is over. A person looks at an attempt under review. */
export function hasChallengeExpired({ status, challenged_at }: Challenge, now: Instant): boolean {
  return status !== "REVIEW" && challenged_at !== null && endOf(challenged_at) <= now;
}

function endOf(challengedAt: Instant): Instant {
  return later(challengedAt, challengeMs);
}
