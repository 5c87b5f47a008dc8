import { minorOf } from "../../base/amounts.ts";
import { DomainError, type ErrorDetail } from "../../base/errors.ts";
import {
  type CalendarDate,
  type Instant,
  parseDate,
  parseInstant,
  parseInstantIn,
  startOfDay,
} from "../../base/lib/dates.ts";
import { characters } from "../../base/lib/text.ts";
import { isWithinCalendar } from "../subscriptions/schedule.ts";

/** Reads the values of a row one by one; what is wrong with any of them is in `faults`. */
export type FieldReader<Field extends string> = ReturnType<typeof readFields<Field>>;

type Read = { timezone: string; currency: string; faults: ErrorDetail[]; path?: string };

/** A reader of the text values of fields. `path` stands in front of the names of fields in faults. */
export function readFields<Field extends string>(
  values: { [field in Field]?: string },
  { timezone, currency, faults, path = "" }: Read,
) {
  const refuse = (field: Field, message: string): undefined => {
    faults.push({ path: `${path}${field}`, message });
  };

  const text = (field: Field, max = 10_000): string | undefined => {
    const value = values[field];
    if (value === undefined || characters(value) <= max) return value;
    return refuse(field, `must have at most ${max} characters`);
  };

  const required = <T>(field: Field, value: T | undefined): T | undefined =>
    value === undefined && values[field] === undefined ? refuse(field, "is required") : value;

  const integer = (field: Field, min: number, max: number): number | undefined => {
    const value = values[field]?.trim();
    if (value === undefined) return undefined;
    const number = /^\d{1,9}(\.0+)?$/.test(value) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    return refuse(field, `must be a whole number from ${min} to ${max}`);
  };

  const number = (field: Field): number | undefined => {
    const value = values[field]?.trim();
    if (value === undefined) return undefined;
    if (/^\d{1,15}(\.\d{1,10})?$/.test(value)) return Number(value);
    return refuse(field, "must be a number with a point before its decimals, such as 12.5");
  };

  /** Minor units. */
  const money = (field: Field): number | undefined => {
    const major = number(field);
    return major === undefined ? undefined : attempt(() => minorOf(major, currency, `${path}${field}`));
  };

  const date = (field: Field): CalendarDate | undefined => {
    const value = values[field]?.trim();
    if (value === undefined) return undefined;
    const read = parseDate(value, timezone);
    if (read !== undefined && isWithinCalendar(read)) return read;
    return refuse(field, "must be a date, yyyy-MM-dd, or a date-time");
  };

  const instant = (field: Field): Instant | undefined => {
    const value = values[field]?.trim();
    if (value === undefined) return undefined;
    const exact = parseInstant(value) ?? parseInstantIn(value, timezone);
    if (exact !== undefined) return exact;
    const day = date(field);
    return day && startOfDay(day, timezone);
  };

  const oneOf = <const T extends string>(field: Field, known: readonly T[]): T | undefined => {
    const value = values[field]?.trim().toUpperCase();
    if (value === undefined || (known as readonly string[]).includes(value)) return value as T | undefined;
    return refuse(field, `must be one of ${known.join(", ")}`);
  };

  /** The answer of another capability's rule; its refusal is a fault of the row. */
  const attempt = <T>(rule: () => T): T | undefined => {
    try {
      return rule();
    } catch (error) {
      if (!(error instanceof DomainError) || !error.details) throw error;
      faults.push(...error.details);
      return undefined;
    }
  };

  return { values, refuse, text, required, integer, number, money, date, instant, oneOf, attempt };
}
