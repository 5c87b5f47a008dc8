import { type Instant, later } from "../../base/lib/time/dates.ts";
import { dayMs } from "../../base/lib/time/durations.ts";
import type { Failure } from "../../stores/port.ts";

/** Nothing was charged, and nothing will be: the cycle is free for another attempt. */
export const notCharged: Failure = {
  failure: "customer",
  code: "not_charged",
  message: "The store has never seen the charge",
  isFinal: false,
  isRefused: false,
};

/** The customer has not confirmed the payment in time. */
export const challengeExpired: Failure = {
  failure: "customer",
  code: "authentication_expired",
  message: "The customer did not confirm the payment in time",
  isFinal: true,
  isRefused: false,
};

/** The code of an expired challenge that became a charge which pays nothing here: people have been told. */
export const confirmedLate = {
  code: "confirmed_late",
  message: "The customer confirmed the payment after its deadline, and it pays for nothing here: refund it",
};

export function isNoDecline(code: string): boolean {
  return noDeclines.has(code);
}

/** The number of payments that an episode tries at most: the first, and one for each retry day. */
export function maxAttempts(retryDays: number[]): number {
  return retryDays.length + 1;
}

/**
 * Retries come on set days after the first failure (`from`, which moves by as long as billing waited for others), whatever was
 * tried by hand in between. A day that has passed is not made up for. After a hard decline there are no retries, and the
 * customer has until the last of the days.
 */
export function nextStep(
  { from, retryDays }: { from: Instant; retryDays: number[] },
  isFinal: boolean,
  now: Instant,
): NextStep {
  const ahead = retryDays.map((days) => daysAfter(from, days)).filter((instant) => instant > now);
  const due_at = ahead.at(isFinal ? -1 : 0);
  if (due_at === undefined) return { status: "EXHAUSTED" };
  return { status: isFinal ? "AWAITING_CUSTOMER" : "OPEN", due_at };
}

/** Failures without a decline: the customer's payment was neither charged nor refused. */
const noDeclines = new Set([notCharged.code, "withdrawn"]);

/** The step after a failure: another try or a wait for the customer, each until `due_at`, or the end. */
type NextStep = { status: "OPEN" | "AWAITING_CUSTOMER"; due_at: Instant } | { status: "EXHAUSTED" };

function daysAfter(instant: Instant, days: number): Instant {
  return later(instant, days * dayMs);
}
