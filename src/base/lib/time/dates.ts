import { ttlCache } from "../ttl-cache.ts";
import { type CalendarDate, daysInMonth, lastDay, toDate, toDay, twoDigits } from "./calendar.ts";
import { dayMs, hourMs, minuteMs, secondMs } from "./durations.ts";
import { type ClockTime, clockTimeAt, instantFrom, instantShowing } from "./zones.ts";

export type { CalendarDate };

/** UTC, `2026-11-20T12:00:00.000Z`. */
export type Instant = string;

/** The instant of a date-time with an offset. Undefined for any other text. */
export function parseInstant(text: string): Instant | undefined {
  const read = readDateTime(text);
  return read?.offsetMs === undefined ? undefined : toInstantInRange(read.clockTime - read.offsetMs);
}

/** The calendar date of an instant in a zone. */
export function dateIn(instant: Instant, timezone: string): CalendarDate {
  const ms = Date.parse(instant);
  const quarter = Math.floor(ms / quarterMs);
  const key = `${quarter} ${timezone}`;
  const known = dates.get(key, 0);
  if (known !== undefined) return known;
  const date = toDate(Math.floor(clockTimeAt(ms, timezone) / dayMs));
  if (quarter >= firstQuarter) dates.set(key, date, 0);
  return date;
}

/**
 * A calendar date, or the date in `timezone` of a date-time. A date-time without an offset is local already.
 * Undefined if the text is neither, or names a day that does not exist.
 */
export function parseDate(text: string, timezone: string): CalendarDate | undefined {
  const read = readDateTime(text);
  if (!read) return undefined;
  if (read.offsetMs === undefined) return text.slice(0, dateLength);
  const instant = toInstantInRange(read.clockTime - read.offsetMs);
  return instant && dateIn(instant, timezone);
}

/** Whether a text is a date or a date-time. The zone only decides which day it is. */
export function isDateText(text: string): boolean {
  return parseDate(text, "UTC") !== undefined;
}

/** The instant at which a day begins in a zone. It is not midnight if daylight saving skips midnight. */
export function startOfDay(date: CalendarDate, timezone: string): Instant {
  const key = `${date} ${timezone}`;
  const known = starts.get(key, 0);
  if (known !== undefined) return known;
  const start = toInstant(instantFrom(toDay(date) * dayMs, timezone));
  starts.set(key, start, 0);
  return start;
}

/** An instant some milliseconds later. */
export function later(instant: Instant, ms: number): Instant {
  return toInstant(Date.parse(instant) + ms);
}

/** The instant at the same time of day on the next day in a zone. A day is not always 24 hours long. */
export function aDayLater(instant: Instant, timezone: string): Instant {
  return toInstant(instantShowing(clockTimeAt(Date.parse(instant), timezone) + dayMs, timezone));
}

/** The instant at which a day ends in a zone: when the next day begins, if the calendar has a next day. */
export function endOfDay(date: CalendarDate, timezone: string): Instant {
  const next = toDay(date) + 1;
  return next > lastDay ? lastInstant : startOfDay(toDate(next), timezone);
}

/** The instant so many hours after the next day in a zone has begun. */
export function nextNight(instant: Instant, timezone: string, hours: number): Instant {
  return later(endOfDay(dateIn(instant, timezone), timezone), hours * hourMs);
}

/** The instant of a date-time. One without an offset is local to `timezone`. Undefined for any other text. */
export function parseInstantIn(text: string, timezone: string): Instant | undefined {
  const read = readDateTime(text);
  if (!read || text.length === dateLength) return undefined;
  const { clockTime, offsetMs } = read;
  return toInstantInRange(
    offsetMs === undefined ? instantShowing(clockTime, timezone) : clockTime - offsetMs,
  );
}

/**
 * A date, or a date-time of RFC 3339, with leap seconds; also without seconds, without an offset, or with a space. Its groups
 * are the date's parts, those of the time, and the offset.
 */
const dateTimePattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::([0-5]\d|60)(?:\.(\d{1,9}))?)?([Zz]|[+-]\d{2}:?\d{2})?)?$/;
const dateLength = "2026-11-20".length;

/** The end of the calendar's last day. Like every end of a day it is on a quarter of an hour. */
const lastInstant = "9999-12-31T23:45:00.000Z";

/** Between these, every instant has a year of four digits in every zone, so instants and their dates sort as text. */
const firstInstant = "0001-01-02T00:00:00.000Z";
const endOfInstants = "9999-12-31T00:00:00.000Z";

const quarterMs = 15 * minuteMs;
/** From then on, a quarter of an hour has one date in every zone. Until 2010, Newfoundland set its clocks back at one past midnight. */
const firstQuarter = Date.UTC(2012, 0, 1) / quarterMs;
/** Answers of `dateIn`: nearly all requests ask for today. */
const dates = ttlCache<CalendarDate>(Number.POSITIVE_INFINITY, 500);
/** Answers of `startOfDay`, which asks a zone for its offset four times: nearly all requests ask for a day of this week. */
const starts = ttlCache<Instant>(Number.POSITIVE_INFINITY, 500);

/** The day and time that a text shows, and its offset if it has one. Undefined for a text of another form, and for a day or a time that does not exist. */
function readDateTime(text: string): { clockTime: ClockTime; offsetMs: number | undefined } | undefined {
  const [, year, month, day, hour = "0", minute = "0", second = "0", fraction = "", offset] =
    dateTimePattern.exec(text) ?? [];
  if (year === undefined || !isInMonth(Number(year), Number(month), Number(day))) return undefined;
  if (Number(hour) > 23 || Number(minute) > 59) return undefined;
  const offsetMs = offset === undefined ? undefined : readOffset(offset);
  if (Number.isNaN(offsetMs)) return undefined;
  /** A leap second is the second before it, as the clocks of computers have it. */
  const seconds = Math.min(Number(second), 59);
  const ms = Number(fraction.slice(0, 3).padEnd(3, "0"));
  const time = Number(hour) * hourMs + Number(minute) * minuteMs + seconds * secondMs + ms;
  return { clockTime: toDay(text.slice(0, dateLength)) * dayMs + time, offsetMs };
}

/** NaN for an offset of a day and more. */
function readOffset(offset: string): number {
  if (offset === "Z" || offset === "z") return 0;
  const [hours, minutes] = [Number(offset.slice(1, 3)), Number(offset.slice(-2))];
  if (hours > 23 || minutes > 59) return Number.NaN;
  return (offset.startsWith("-") ? -1 : 1) * (hours * hourMs + minutes * minuteMs);
}

function isInMonth(year: number, month: number, day: number): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

/** An instant whose year has four digits in every zone; else undefined. */
function toInstantInRange(ms: number): Instant | undefined {
  const instant = toInstant(ms);
  return instant >= firstInstant && instant < endOfInstants ? instant : undefined;
}

/** The instant that many milliseconds after 1970 began. `Date` takes four times as long to write it. Throws RangeError for what is none. */
export function toInstant(ms: number): Instant {
  const whole = Math.trunc(ms);
  const day = Math.floor(whole / dayMs);
  if (day !== lastWritten.day) lastWritten = { day, date: toDate(day) };
  return `${lastWritten.date}T${toTime(whole - day * dayMs)}Z`;
}

/** Nearly all instants that are written are of today. */
let lastWritten = { day: Number.NaN, date: "" };

/** `12:00:00.000`, of the milliseconds since a day began. */
function toTime(ms: number): string {
  const [hours, minutes] = [Math.floor(ms / hourMs), Math.floor(ms / minuteMs) % 60];
  const seconds = Math.floor(ms / secondMs) % 60;
  const thousandths = String(ms % secondMs).padStart(3, "0");
  return `${twoDigits[hours]}:${twoDigits[minutes]}:${twoDigits[seconds]}.${thousandths}`;
}
