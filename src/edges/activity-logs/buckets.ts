import type { Instant } from "../../base/lib/time/dates.ts";
import { dayMs } from "../../base/lib/time/durations.ts";

/** The counters of a range: quarters of an hour of its first UTC day, whole days, and quarters of its last day. Ends are exclusive. */
export type Buckets = {
  first_day: string;
  first_from: string;
  first_to: string;
  days_from: string;
  days_to: string;
  last_day: string;
  last_from: string;
  last_to: string;
};

/**
 * The counters that make up the time from `start` to before `end`. Both are on a quarter of an hour, as days begin in every
 * time zone of today.
 */
export function bucketsOf(start: Instant, end: Instant): Buckets {
  const isOneDay = dayOf(start) >= dayOf(end);
  return {
    first_day: dayOf(start),
    first_from: timeOf(start),
    first_to: isOneDay ? timeOf(end) : endOfDay,
    days_from: dayAfter(start),
    days_to: dayOf(end),
    last_day: dayOf(end),
    last_from: startOfDay,
    last_to: isOneDay ? startOfDay : timeOf(end),
  };
}

const [startOfDay, endOfDay] = ["00:00", "24:00"];

function dayOf(instant: Instant): string {
  return instant.slice(0, 10);
}

function timeOf(instant: Instant): string {
  return instant.slice(11, 16);
}

function dayAfter(instant: Instant): string {
  return dayOf(new Date(Date.parse(instant) + dayMs).toISOString());
}
