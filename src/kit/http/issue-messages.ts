import type { z } from "@hono/zod-openapi";
import { withSuggestion } from "./nearest-name.ts";

type Issue = z.core.$ZodRawIssue;
type IssueOf<Code extends z.core.$ZodIssueCode> = Extract<Issue, { code: Code }>;

/** The message of a field that is needed and was not sent. */
export const required = "is required";

/** The message of a union that has no words of its own; those of one of its members say more. */
export const noForm = "has none of the forms that are allowed here";

/** The message of a schema's issue that has no message of its own. */
export function messageOf(issue: Issue): string {
  if (isAbsent(issue)) return required;
  const write = messages[issue.code] as (issue: Issue) => string;
  return write(issue);
}

/** The message about a value that is none of those allowed: it lists them, or the nearest of many. */
export function choiceMessage(values: readonly unknown[], sent: unknown): string {
  const names = values.map(String);
  if (values.length === 1) return `must be ${JSON.stringify(values[0])}`;
  if (names.toSorted().join() === "false,true") return "must be true or false";
  const list = names.join(", ");
  if (list.length <= longestChoice) return `must be one of ${list}${caseHint(names, sent)}`;
  const some = `must be one of ${names.length} values that the API's document lists, such as ${names[0]}`;
  return typeof sent === "string" ? withSuggestion(some, names, sent) : some;
}

/** Says how the letters are to be written, where nothing else is wrong. */
export function caseHint(names: readonly string[], sent: unknown): string {
  const name = names.find((name) => typeof sent === "string" && name.toLowerCase() === sent.toLowerCase());
  if (name === undefined || name === sent) return "";
  return name === name.toUpperCase() ? ", in capital letters" : ", in small letters";
}

/**
 * The words for each of the validator's codes, over HTTP and MCP alike: each message says what the value has to be. Rules that a
 * schema states by itself have their own. A new code of the validator does not compile until it has words here.
 */
const messages: { [Code in z.core.$ZodIssueCode]: (issue: IssueOf<Code>) => string } = {
  invalid_type: ({ expected, input }) => typeMessage(expected, input),
  too_small: ({ origin, minimum, inclusive }) =>
    boundMessage(origin, inclusive ? "at least" : "more than", minimum),
  too_big: ({ origin, maximum, inclusive }) =>
    boundMessage(origin, inclusive ? "at most" : "less than", maximum),
  invalid_format: ({ format }) => `must be ${formats[format] ?? "of the form that the API's document shows"}`,
  not_multiple_of: ({ divisor }) => `must be a multiple of ${divisor}`,
  unrecognized_keys: ({ keys }) => `has unknown fields: ${keys.join(", ")}`,
  invalid_union: ({ options, input, discriminator }) =>
    Array.isArray(options) ? choiceMessage(options, memberOf(input, discriminator)) : noForm,
  invalid_key: () => "has a name that is not allowed here",
  invalid_element: () => "has a member that is not allowed here",
  invalid_value: ({ values, input }) => choiceMessage(values, input),
  custom: () => "has a value that is not allowed here",
};

/** Only these are also the issues of a value that is not there. */
const codesOfAbsence: ReadonlySet<string> = new Set(["invalid_type", "invalid_value", "invalid_union"]);

function isAbsent({ code, input, discriminator }: Issue): boolean {
  if (!codesOfAbsence.has(code)) return false;
  const isObject = typeof input === "object" && input !== null;
  return input === undefined || (typeof discriminator === "string" && isObject && !(discriminator in input));
}

function memberOf(input: unknown, name: unknown): unknown {
  return typeof input === "object" && input !== null
    ? (input as Record<string, unknown>)[String(name)]
    : undefined;
}

const types: Record<string, string> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

function typeMessage(expected: string, input: unknown): string {
  const wanted = types[expected] ?? expected;
  if (typeof input !== "number") return `must be ${wanted}, not ${typeName(input)}`;
  if (!Number.isFinite(input)) return "is larger than any number can be";
  return expected === "int" ? `must be ${wanted}` : `must be ${wanted}, not a number`;
}

function typeName(value: unknown): string {
  if (typeof value === "boolean" || value === null) return String(value);
  return Array.isArray(value) ? "a list" : (types[typeof value] ?? "a value of another type");
}

const units: Record<string, string> = { string: "character", array: "item" };

function boundMessage(origin: string, bound: string, limit: number | bigint): string {
  const unit = units[origin];
  if (unit !== undefined) return `must have ${bound} ${limit} ${unit}${limit === 1 ? "" : "s"}`;
  // Before a field's own limit is looked at, a number must be one that is read exactly.
  if (limit === Number.MAX_SAFE_INTEGER) return "must be a smaller whole number";
  if (limit === Number.MIN_SAFE_INTEGER) return "must be a larger whole number";
  return `must be ${bound} ${limit}`;
}

const formats: Record<string, string> = {
  email: "an e-mail address",
  url: "a URL",
  uuid: "a UUID",
  datetime: "a date-time with an offset, such as 2026-11-20T12:00:00Z",
  date: "a date, yyyy-MM-dd",
};

/** Longer lists of choices are in the document, and would be cut here. */
const longestChoice = 140;
