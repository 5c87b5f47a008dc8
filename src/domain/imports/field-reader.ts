import type { z } from "@hono/zod-openapi";
import { minorOf } from "../../base/amounts.ts";
import { DomainError, type ErrorDetail } from "../../base/errors.ts";
import { characters, hasAtMostBytes } from "../../base/lib/text.ts";
import {
  type CalendarDate,
  type Instant,
  parseDate,
  parseInstant,
  parseInstantIn,
  startOfDay,
} from "../../base/lib/time/dates.ts";
import type { Ctx } from "../../kit/context.ts";
import { furthestDate, todayOf, tooFarFault } from "../../kit/days.ts";
import { acceptAt } from "../../kit/http/validate.ts";

/** Reads the values of a row one by one; what is wrong with any of them is in `faults`. */
export type FieldReader<Field extends string> = ReturnType<typeof readFields<Field>>;

type Read = Pick<Ctx, "account" | "now"> & { faults: ErrorDetail[]; path?: string };

/** A reader of the text values of fields. `path` stands in front of the names of fields in faults. */
export function readFields<Field extends string>(
  values: { [field in Field]?: string },
  { account, now, faults, path = "" }: Read,
) {
  const { timezone, currency_code: currency } = account;

  const refuse = (field: Field, message: string): undefined => {
    faults.push({ path: `${path}${field}`, message });
  };

  const text = (field: Field, max = 10_000): string | undefined => {
    const value = values[field];
    if (value === undefined || characters(value) <= max) return value;
    return refuse(field, `must have at most ${max} characters`);
  };

  const boundedText = (field: Field, bytes: number): string | undefined => {
    const value = values[field];
    if (value === undefined || hasAtMostBytes(bytes, value)) return value;
    return refuse(field, `must have at most ${bytes} bytes in UTF-8`);
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

  const anyDate = (field: Field): CalendarDate | undefined => {
    const value = values[field]?.trim();
    if (value === undefined) return undefined;
    return parseDate(value, timezone) ?? refuse(field, "must be a date, yyyy-MM-dd, or a date-time");
  };

  /** A date that may lie ahead. */
  const date = (field: Field): CalendarDate | undefined => {
    const read = anyDate(field);
    const tooFar = read && tooFarFault(read, furthestDate(todayOf({ account, now })));
    return tooFar ? refuse(field, tooFar) : read;
  };

  const instant = (field: Field): Instant | undefined => {
    const value = values[field]?.trim();
    if (value === undefined) return undefined;
    const exact = parseInstant(value) ?? parseInstantIn(value, timezone);
    if (exact !== undefined) return exact;
    const day = anyDate(field);
    return day && startOfDay(day, timezone);
  };

  const oneOf = <const T extends string>(field: Field, known: readonly T[]): T | undefined => {
    const value = values[field]?.trim().toUpperCase();
    if (value === undefined || (known as readonly string[]).includes(value)) return value as T | undefined;
    return refuse(field, `must be one of ${known.join(", ")}`);
  };

  const flag = (field: Field): boolean | undefined => {
    const value = values[field]?.trim().toLowerCase();
    if (value === undefined) return undefined;
    return value === "true" || value === "false" ? value === "true" : refuse(field, "must be true or false");
  };

  /** The JSON of a field, as a schema parses it. */
  const json = <Schema extends z.ZodType>(field: Field, schema: Schema): z.output<Schema> | undefined => {
    const value = values[field];
    if (value === undefined) return undefined;
    const parsed = parseJson(value);
    if (parsed === undefined) return refuse(field, "must be JSON");
    return attempt(() => acceptAt(`${path}${field}`, schema, parsed) as z.output<Schema>);
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

  return {
    values,
    refuse,
    text,
    boundedText,
    required,
    integer,
    number,
    money,
    date,
    instant,
    oneOf,
    flag,
    json,
    attempt,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
