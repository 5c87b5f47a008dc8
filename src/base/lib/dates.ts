import { Temporal } from "temporal-polyfill";
import { ttlCache } from "./ttl-cache.ts";

/** `yyyy-MM-dd`, a day of the calendar without time or zone. */
export type CalendarDate = string;
/** UTC, `2026-11-20T12:00:00.000Z`. */
export type Instant = string;

/** The instant of a date-time with an offset. Undefined for any other text. */
export function parseInstant(text: string): Instant | undefined {
  return dateTimePattern.test(text) ? instantOf(() => Temporal.Instant.from(text)) : undefined;
}

/** The calendar date of an instant in a zone. */
export function dateIn(instant: Instant, timezone: string): CalendarDate {
  const quarter = Math.floor(Date.parse(instant) / quarterMs);
  const key = `${quarter} ${timezone}`;
  const known = dates.get(key, 0);
  if (known !== undefined) return known;
  const date = toZoned(instant, timezone).toPlainDate().toString();
  if (quarter >= firstQuarter) dates.set(key, date, 0);
  return date;
}

/**
 * A calendar date, or the date in `timezone` of a date-time. A date-time without an offset is local already.
 * Undefined if the text is neither, or names a day that does not exist.
 */
export function parseDate(text: string, timezone: string): CalendarDate | undefined {
  const match = dateTimePattern.exec(text);
  if (!match) return undefined;
  if (match[2] === undefined) return orUndefined(() => Temporal.PlainDate.from(text).toString());
  const instant = parseInstant(text);
  return instant && dateIn(instant, timezone);
}

/** Whether a text is a date or a date-time. The zone only decides which day it is. */
export function isDateText(text: string): boolean {
  return parseDate(text, "UTC") !== undefined;
}

/** The instant at which a day begins in a zone. It is not midnight if daylight saving skips midnight. */
export function startOfDay(date: CalendarDate, timezone: string): Instant {
  return toInstant(Temporal.PlainDate.from(date).toZonedDateTime(timezone).toInstant());
}

/** An instant some milliseconds later. */
export function later(instant: Instant, ms: number): Instant {
  return new Date(Date.parse(instant) + ms).toISOString();
}

/** The instant at the same time of day on the next day in a zone. A day is not always 24 hours long. */
export function aDayLater(instant: Instant, timezone: string): Instant {
  return toInstant(Temporal.Instant.from(instant).toZonedDateTimeISO(timezone).add({ days: 1 }).toInstant());
}

/** The instant at which a day ends in a zone: when the next day begins, if the calendar has a next day. */
export function endOfDay(date: CalendarDate, timezone: string): Instant {
  const next = Temporal.PlainDate.from(date).add({ days: 1 });
  return next.year > 9999 ? lastInstant : startOfDay(next.toString(), timezone);
}

/** The instant of a date-time. One without an offset is local to `timezone`. Undefined for any other text. */
export function parseInstantIn(text: string, timezone: string): Instant | undefined {
  const match = dateTimePattern.exec(text);
  if (match?.[1] === undefined) return undefined;
  if (match[2] !== undefined) return parseInstant(text);
  return instantOf(() => Temporal.PlainDateTime.from(text).toZonedDateTime(timezone).toInstant());
}

/**
 * A date, or a date-time of RFC 3339, with leap seconds; also without seconds, without an offset, or with a space. Its groups
 * are the time and the offset.
 */
const dateTimePattern =
  /^\d{4}-\d{2}-\d{2}([Tt ]\d{2}:\d{2}(?::(?:[0-5]\d|60)(?:\.\d{1,9})?)?([Zz]|[+-]\d{2}:?\d{2})?)?$/;
/** The end of the calendar's last day. Like every end of a day it is on a quarter of an hour. */
const lastInstant = "9999-12-31T23:45:00.000Z";

/** Between these, every instant has a year of four digits in every zone, so instants and their dates sort as text. */
const firstInstant = "0001-01-02T00:00:00.000Z";
const endOfInstants = "9999-12-31T00:00:00.000Z";

const quarterMs = 900_000;
/** From then on, a quarter of an hour has one date in every zone. Until 2010, Newfoundland set its clocks back at one past midnight. */
const firstQuarter = Date.UTC(2012, 0, 1) / quarterMs;
/** Answers of `dateIn`: nearly all requests ask for today. */
const dates = ttlCache<CalendarDate>(Number.POSITIVE_INFINITY, 500);

function toZoned(instant: Instant, timezone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.from(instant).toZonedDateTimeISO(timezone);
}

/** An instant that can be read, and whose year has four digits in every zone. */
function instantOf(read: () => Temporal.Instant): Instant | undefined {
  return orUndefined(() => {
    const instant = toInstant(read());
    return instant >= firstInstant && instant < endOfInstants ? instant : undefined;
  });
}

function toInstant(instant: Temporal.Instant): Instant {
  return instant.toString({ fractionalSecondDigits: 3 });
}

function orUndefined<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}
