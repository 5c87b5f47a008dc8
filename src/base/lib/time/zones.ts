import { ttlCache } from "../ttl-cache.ts";
import { dayMs, hourMs, minuteMs, secondMs } from "./durations.ts";
import { offsetByRule } from "./zone-rules.ts";

/** The time that the clocks of a zone show: milliseconds that would be an instant if the clocks were those of UTC. */
export type ClockTime = number;

/** The time that a zone's clocks show at an instant. Throws RangeError for an unknown zone, and for what is no instant. */
export function clockTimeAt(atMs: number, timezone: string): ClockTime {
  return atMs + offsetAt(atMs, timezone);
}

/**
 * The instant at which a zone's clocks show a time: the first of two where they are set back. Where they are set forward and never
 * show it, the instant at which they would have, had they not been (as Temporal and RFC 5545 have it).
 */
export function instantShowing(time: ClockTime, timezone: string): number {
  return firstShowing(time, timezone) ?? time - offsetAt(time - dayMs, timezone);
}

/** The first instant from which a zone's clocks show a time or a later one. */
export function instantFrom(time: ClockTime, timezone: string): number {
  const shown = firstShowing(time, timezone);
  if (shown !== undefined) return shown;
  let [before, after] = [time - 2 * dayMs, time + 2 * dayMs];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (clockTimeAt(middle, timezone) < time) before = middle;
    else after = middle;
  }
  return after;
}

/** Clocks change by a day at most, and not twice within two days. */
function firstShowing(time: ClockTime, timezone: string): number | undefined {
  const offsets = [offsetAt(time - dayMs, timezone), offsetAt(time + dayMs, timezone)];
  const instants = offsets.map((offset) => time - offset).sort((one, other) => one - other);
  return instants.find((at) => clockTimeAt(at, timezone) === time);
}

function offsetAt(atMs: number, timezone: string): number {
  return offsetByRule(atMs, timezone) ?? offsetByPlatform(atMs, timezone);
}

export function offsetByPlatform(atMs: number, timezone: string): number {
  const [, sign, hours, minutes, seconds] = offsetPattern.exec(formatOf(timezone).format(atMs)) ?? [];
  if (sign === undefined) return 0;
  const offset = Number(hours) * hourMs + Number(minutes) * minuteMs + Number(seconds ?? 0) * secondMs;
  return sign === "-" ? -offset : offset;
}

/** The offset in `2026, GMT-05:00`, or with seconds before zones had whole minutes. At UTC's own time there is no offset after GMT. */
const offsetPattern = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/;

/** A format is made once for each zone: that takes fifty times as long as using it. */
const formats = ttlCache<Intl.DateTimeFormat>(Number.POSITIVE_INFINITY, 500);

function formatOf(timezone: string): Intl.DateTimeFormat {
  const known = formats.get(timezone, 0);
  if (known) return known;
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: timezone,
    timeZoneName: "longOffset",
    year: "numeric",
  });
  formats.set(timezone, format, 0);
  return format;
}
