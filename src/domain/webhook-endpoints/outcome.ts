import { scatterPause } from "../../base/lib/backoff.ts";
import { type Instant, later } from "../../base/lib/time/dates.ts";
import { dayMs, hourMs, minuteMs, secondMs } from "../../base/lib/time/durations.ts";
import type { EventDelivery } from "./tables.ts";

/** The outcome of a try: the HTTP status, if there was one, and why it failed, if it did. */
export type TryOutcome = {
  status: number | null;
  error: string | null;
  retry_after: string | null;
  duration_ms: number;
  /** Whether another try is of no use. */
  isFinal?: boolean;
};

export function isAccepted({ error }: TryOutcome): boolean {
  return error === null;
}

/** 410 Gone: the receiver will not come back (RFC 9110 §15.5.11). */
export function isGone({ status }: TryOutcome): boolean {
  return status === 410;
}

/** An endpoint is disabled that has failed since then. */
export function longAgo(now: Instant): Instant {
  return later(now, -failingMs);
}

/** The columns of a delivery after a try, which `attempt_count` already includes. */
export function afterTry(
  delivery: Pick<EventDelivery, "event_id" | "attempt_count" | "delivered_at">,
  outcome: TryOutcome,
  now: Instant,
) {
  const tried = {
    last_status: outcome.status,
    last_error: outcome.error,
    last_duration_ms: outcome.duration_ms,
  };
  if (isAccepted(outcome))
    return { ...tried, status: "DELIVERED" as const, next_attempt_at: null, delivered_at: now };
  const { attempt_count, delivered_at } = delivery;
  const isLast = attempt_count >= mostTries || isGone(outcome) || outcome.isFinal === true;
  const next_attempt_at = isLast ? null : later(now, pauseMs(delivery, outcome, now));
  return {
    ...tried,
    status: isLast ? ("FAILED" as const) : ("PENDING" as const),
    next_attempt_at,
    delivered_at,
  };
}

/** Whether a delivery has had all its tries: the sender of the last one died before it recorded the outcome. */
export function isSpent({ attempt_count }: Pick<EventDelivery, "attempt_count">): boolean {
  return attempt_count > mostTries;
}

/** The pause after each try: ten tries over about 76 hours. */
const pausesMs = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hourMs),
];
const mostTries = pausesMs.length + 1;
/** The longest pause that an endpoint may ask for by Retry-After. */
const [leastMs, mostMs] = [5 * secondMs, dayMs];

const failingMs = 5 * dayMs;

function pauseMs(
  { event_id, attempt_count }: Pick<EventDelivery, "event_id" | "attempt_count">,
  { retry_after }: TryOutcome,
  now: Instant,
): number {
  const asked = retryAfterMs(retry_after, now);
  if (asked !== undefined) return Math.min(Math.max(asked, leastMs), mostMs);
  const pause = pausesMs[attempt_count - 1] ?? mostMs;
  return scatterPause(pause, { part: 0.1, chance: chanceOf(event_id, attempt_count) });
}

/** Seconds or a date (RFC 9110 §10.2.3); undefined for anything else. */
function retryAfterMs(text: string | null, now: Instant): number | undefined {
  if (text === null) return undefined;
  if (/^\d{1,9}$/.test(text.trim())) return Number(text) * secondMs;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at - Date.parse(now);
}

/** From 0 to 1, different for each try: from the random part of the event's id. */
function chanceOf(id: string, attempt: number): number {
  const digits = id.replaceAll("-", "").slice(-12 - attempt, -8 - attempt);
  return Number.parseInt(digits, 16) / 0xffff;
}
