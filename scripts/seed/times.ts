import { dayMs } from "../../src/base/lib/time/durations.ts";
import { draw } from "./draw.ts";

/** An instant so many days ago, at an hour that is the n-th record's own. */
export function instantOf(now: Date, daysAgo: number, n: number): string {
  return new Date(now.getTime() - daysAgo * dayMs - draw(n, 99, dayMs / 2)).toISOString();
}

export function laterBy(instant: string, ms: number): string {
  return new Date(Date.parse(instant) + ms).toISOString();
}
