import type { Instant } from "../lib/dates.ts";

/** Half-open ranges of counters: quarters of an hour before the first whole UTC day, whole days, quarters after the last. */
export type Buckets = {
  head_from: string;
  head_to: string;
  days_from: string;
  days_to: string;
  tail_from: string;
  tail_to: string;
};

const dayMs = 86_400_000;

const dayOf = (instant: Instant): string => instant.slice(0, 10);
const quarterOf = (instant: Instant): string => `Q${instant.slice(0, 16)}`;
const midnight = (day: string): Instant => `${day}T00:00:00.000Z`;

/** The first UTC midnight at or after an instant. */
const nextMidnight = (instant: Instant): Instant =>
  instant === midnight(dayOf(instant))
    ? instant
    : midnight(dayOf(new Date(Date.parse(midnight(dayOf(instant))) + dayMs).toISOString()));

/**
 * The counters that make up the time from `start` to before `end`. Both are on a quarter of an hour, as days begin in every
 * time zone of today. A range without a whole UTC day has quarters only.
 */
export const bucketsOf = (start: Instant, end: Instant): Buckets => {
  const firstDay = nextMidnight(start);
  const lastDay = midnight(dayOf(end));
  const none = quarterOf(start);
  if (dayOf(start) >= dayOf(end) || firstDay >= lastDay)
    return {
      head_from: quarterOf(start),
      head_to: quarterOf(end),
      days_from: none,
      days_to: none,
      tail_from: none,
      tail_to: none,
    };
  return {
    head_from: quarterOf(start),
    head_to: quarterOf(firstDay),
    days_from: `D${dayOf(firstDay)}`,
    days_to: `D${dayOf(lastDay)}`,
    tail_from: quarterOf(lastDay),
    tail_to: quarterOf(end),
  };
};
