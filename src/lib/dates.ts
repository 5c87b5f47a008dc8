import { Temporal } from "temporal-polyfill";

/** `yyyy-MM-dd`, a day of the calendar without time or zone. */
export type CalendarDate = string;
/** UTC, `2026-11-20T12:00:00.000Z`. */
export type Instant = string;

const datePattern = /^\d{4}-\d{2}-\d{2}$/;
const hasOffset = /([Zz]|[+-]\d{2}:?\d{2})$/;
const dateTimePattern = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(:[0-5]\d(\.\d{1,9})?)?([Zz]|[+-]\d{2}:?\d{2})?$/;
/** As good as the end of time, and on a quarter of an hour as every end of a day is. */
const lastInstant = "9999-12-31T23:45:00.000Z";

/** Instants whose date has a year of four digits in every zone: they, and their dates, sort as text. */
const firstInstant = "0001-01-02T00:00:00.000Z";
const endOfInstants = "9999-12-31T00:00:00.000Z";

const attempt = <T>(make: () => T): T | undefined => {
  try {
    return make();
  } catch {
    return undefined;
  }
};

/** An instant as text; undefined where the text is no date-time with an offset. */
export const parseInstant = (text: string): Instant | undefined => {
  if (!dateTimePattern.test(text)) return undefined;
  const instant = attempt(() => toInstant(Temporal.Instant.from(text.toUpperCase().replace(" ", "T"))));
  return instant && instant >= firstInstant && instant < endOfInstants ? instant : undefined;
};

const toInstant = (instant: Temporal.Instant): Instant => instant.toString({ fractionalSecondDigits: 3 });

/** The calendar date of an instant in a zone. */
export const dateIn = (instant: Instant, timezone: string): CalendarDate =>
  Temporal.Instant.from(instant).toZonedDateTimeISO(timezone).toPlainDate().toString();

/**
 * A calendar date, or the date in `timezone` of a date-time (one without an offset is local already).
 * Undefined where the text is neither, or names a day that does not exist.
 */
export const parseDate = (text: string, timezone: string): CalendarDate | undefined => {
  if (datePattern.test(text))
    return attempt(() => Temporal.PlainDate.from(text, { overflow: "reject" }).toString());
  if (!dateTimePattern.test(text)) return undefined;
  const instant = parseInstant(text);
  if (instant) return dateIn(instant, timezone);
  if (hasOffset.test(text.slice(10))) return undefined;
  return attempt(() =>
    Temporal.PlainDateTime.from(text.replace(" ", "T"), { overflow: "reject" }).toPlainDate().toString(),
  );
};

/** Whether a text is a date or date-time at all; the zone then only decides which day it is. */
export const isDateText = (text: string): boolean => parseDate(text, "UTC") !== undefined;

/** The instant at which a day begins in a zone; not midnight where daylight saving skips it. */
export const startOfDay = (date: CalendarDate, timezone: string): Instant =>
  toInstant(Temporal.PlainDate.from(date).toZonedDateTime(timezone).toInstant());

/** So many milliseconds later. */
export const later = (instant: Instant, ms: number): Instant =>
  new Date(Date.parse(instant) + ms).toISOString();

/** The same time of day, a day later, in a zone; a day is not always 24 hours long. */
export const aDayLater = (instant: Instant, timezone: string): Instant =>
  toInstant(Temporal.Instant.from(instant).toZonedDateTimeISO(timezone).add({ days: 1 }).toInstant());

/** The instant at which a day ends in a zone, which is when the next begins; the last day of the calendar has no next. */
export const endOfDay = (date: CalendarDate, timezone: string): Instant => {
  const next = Temporal.PlainDate.from(date).add({ days: 1 });
  return next.year > 9999 ? lastInstant : startOfDay(next.toString(), timezone);
};

/** The instant of a date-time; one without an offset is told in `timezone`. Undefined where the text is a date, or nothing. */
export const parseInstantIn = (text: string, timezone: string): Instant | undefined => {
  if (!dateTimePattern.test(text)) return undefined;
  const local = () => Temporal.PlainDateTime.from(text.replace(" ", "T"), { overflow: "reject" });
  if (hasOffset.test(text.slice(10))) return parseInstant(text);
  return attempt(() => toInstant(local().toZonedDateTime(timezone).toInstant()));
};
