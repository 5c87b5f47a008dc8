import { z } from "@hono/zod-openapi";
import { portalLocales } from "../../../base/accounts/portal-settings.ts";
import { displayName } from "../../../base/accounts/rules.ts";
import { characters, hasAtMostBytes } from "../../../base/lib/text.ts";
import { isDateText, parseInstant } from "../../../base/lib/time/dates.ts";
import { intervalUnits } from "../../../base/lib/time/intervals.ts";
import { plainId, type StoreRecord, storeIdPattern } from "../../../stores/ids.ts";
import { caseHint } from "../issue-messages.ts";

/** Text whose length is counted in characters (code points), as JSON Schema counts, not in UTF-16 units. */
export function text({ min = 0, max }: { min?: number; max: number }) {
  return z
    .string()
    .refine((value) => characters(value) >= min, `must have at least ${min} character${min === 1 ? "" : "s"}`)
    .refine((value) => value.length <= max || characters(value) <= max, `must have at most ${max} characters`)
    .openapi({ ...(min > 0 ? { minLength: min } : {}), maxLength: max, pattern: withoutNul });
}

/** A name that people read: not blank, and without the white space around it. */
/** A copy, as the rule is made before schemas can be described where no Worker runs. */
export const nameIn = displayName.clone().openapi({
  type: "string",
  minLength: 1,
  maxLength: 255,
  pattern: "^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$",
});

/**
 * A store's own id of one of its records in a request, in either of its forms; it is read as the plain one.
 * A global id of another kind of record is refused, because no record has it.
 */
export function storeId(kind: StoreRecord) {
  return inEitherForm(kind, text({ min: 1, max: 255 }), { minLength: 1, maxLength: 255 });
}

/** The id of a record at the store, in a query: any text that no record has finds nothing. */
export function storeIdQuery(kind: StoreRecord) {
  return inEitherForm(kind, z.string(), {});
}

/** The id of a record at the store, in a path: any text passes, because an unknown id is 404. */
export function storeIdInPath(kind: StoreRecord) {
  return z
    .string()
    .transform((id) => plainId(kind, id))
    .openapi({ type: "string", minLength: 1, maxLength: 255, pattern: storeIdPattern(kind) });
}

/** The id of a record in a path. Any text passes here, because an unknown id is 404, well formed or not. */
export function idInPath(name: string, record: string, example: string) {
  return idIn.openapi({
    param: { name, in: "path" },
    description: `The id of the ${record}: a UUID.`,
    example,
  });
}

/** A word in a path that is one of a list. Any text passes here, because an unknown one is 404. */
export function wordInPath(name: string, { description, example }: { description: string; example: string }) {
  return z.string().openapi({ param: { name, in: "path" }, pattern: "^[a-z_]+$", description, example });
}

/** A language that customers are shown and written to in. */
export const localeName = z
  .enum(portalLocales)
  .openapi("Locale", { description: "A language. en: English. de: German. fr: French. es: Spanish." });

/** The path parameter `id`. */
export function pathId(record: string, example: string) {
  return z.object({ id: idInPath("id", record, example) });
}

/**
 * A schema that has a name in the document, or null. `nullable()` would make the named schema itself nullable, and with it
 * every field that refers to it.
 */
export function orNull<Named extends z.ZodType>(schema: Named) {
  return z.union([schema, z.null()]);
}

/** A whole number in a query: digits only. */
export function queryInteger({ min, max, fallback }: { min: number; max: number; fallback: number }) {
  return z
    .string()
    .regex(/^\d+$/, "must be a whole number")
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be from ${min} to ${max}`)
    .optional()
    .transform((value) => value ?? fallback)
    .openapi({ type: "integer", minimum: min, maximum: max, default: fallback });
}

/** The text that a list is searched for. A whole id of a record at the store is searched for in the form that is stored. */
export function searchText(kind: StoreRecord) {
  return text({ min: 1, max: 256 })
    .transform((term) => plainId(kind, term))
    .openapi({ type: "string", minLength: 1, maxLength: 256, pattern: withoutNul });
}

export function nullableText(max: number) {
  return text({ max }).nullable();
}

/** A filter by a date, which tells what remains: `orders delivered on this date or later`. */
export function dateFilter(what: string) {
  return dateIn.optional().openapi({
    description: `Only ${what}: a calendar date, or a date-time, whose date in the account's time zone counts.`,
  });
}

/** One or more values of a set, separated by commas, as a list. */
export function queryList<const T extends string>(values: readonly T[]) {
  return z
    .string()
    .transform((list) => list.split(",").map((item) => item.trim()))
    .refine((list) => list.every((item) => (values as readonly string[]).includes(item)), {
      error: ({ input }) => listMessage(values, input as string[]),
    })
    .transform((list) => list as T[])
    .openapi({
      type: "string",
      pattern: `^(${values.join("|")})(,(${values.join("|")}))*$`,
      description: `Only these: one or more of ${values.join(", ")}, separated by commas.`,
      example: values[0],
    });
}

/** The sort of a list, newest first by default. Fields in `ascending` ascend by default, all others descend. */
export function sortOrder<Sort extends string>(
  sort: Sort | "created_at" | undefined,
  order: "asc" | "desc" | undefined,
  ascending: Sort[],
): { sort: Sort | "created_at"; order: "asc" | "desc" } {
  const by = sort ?? "created_at";
  return { sort: by, order: order ?? ((ascending as string[]).includes(by) ? "asc" : "desc") };
}

/** No text in a request has NUL, which databases cut or replace. `refuseUnstorable` checks it. */
const withoutNul = "^[^\\u0000]*$";

/** Text in a request that is compared or looked up, at any length. */
export const anyText = z.string().openapi({ pattern: withoutNul });

/** The most characters of a text that has no shorter limit of its own. */
export const maxText = 10_000;

/** A long text that is read with every list of its records: its bytes are bounded. */
export function boundedText() {
  return text({ max: maxText }).refine(
    (value) => hasAtMostBytes(maxText, value),
    `must have at most ${maxText} bytes in UTF-8`,
  );
}

/** The most characters of a part of a postal address, and of its postal code. */
export const maxAddressText = 255;
export const maxPostalCode = 40;

function inEitherForm(
  kind: StoreRecord,
  id: z.ZodString,
  lengths: { minLength?: number; maxLength?: number },
) {
  const pattern = storeIdPattern(kind);
  const form = new RegExp(pattern);
  return id
    .refine((value) => form.test(value), `must be gid://shopify/${kind}/… or its last part alone`)
    .transform((value) => plainId(kind, value))
    .openapi({ type: "string", ...lengths, pattern });
}

/**
 * The id of a record in a request. The document says what ids look like. Any other text passes here, because it is an id that
 * no record has: a reference to it is unknown, and a filter by it finds nothing.
 */
export const idIn = z.string().openapi({ format: "uuid" });

/** A boolean in a query: true, false, 1 or 0. */
export const queryBoolean = z
  .enum(["true", "false", "1", "0"], "must be true or false")
  .transform((value) => value === "true" || value === "1")
  .openapi("QueryBoolean", {
    type: "string",
    enum: ["true", "false", "1", "0"],
    description: "A boolean in a query: `true` or `1`, `false` or `0`.",
  });

/** The direction in which a list is sorted. `sortOrder` has the defaults. */
export const sortDirection = z.enum(["asc", "desc"]).openapi("SortOrder", {
  description: "The direction of a sort. `asc`: smallest, oldest or first letter first. `desc`: the reverse.",
});

/** A whole number that may need more than 32 bits. */
export const int64 = z.int().openapi({ format: "int64" });

/** A UTC instant in a response. */
export const instant = z.string().openapi({ format: "date-time", example: "2026-11-20T12:00:00.000Z" });

/** Years that have four digits in every time zone. Some instants and days of the years around them are read too. */
const years = "^(?!000[01]|9999)";

/** A date-time with an offset in a request, converted to UTC with milliseconds. */
export const instantIn = z
  .string()
  .refine(
    (value) => parseInstant(value) !== undefined,
    "must be a date-time with an offset, such as 2026-11-20T12:00:00Z",
  )
  .transform((value) => parseInstant(value) ?? value)
  .openapi({ type: "string", format: "date-time", pattern: years, example: "2026-11-20T12:00:00.000Z" });

/** A calendar date or a date-time in a request. The account's time zone decides which day a date-time is. */
export const dateIn = z
  .string()
  .refine(isDateText, "must be a date, yyyy-MM-dd, or a date-time")
  .openapi({ pattern: years, anyOf: [{ format: "date" }, { format: "date-time" }], example: "2026-11-20" });

/** A day ahead in a request: today at the earliest, in ten years at the latest (`kit/days.ts`). */
export const futureDateIn = dateIn.openapi({ pattern: "^2" });

/** A calendar date in a response. */
export const dateOut = z.string().openapi({ format: "date", example: "2026-11-20" });

function listMessage(values: readonly string[], sent: string[]): string {
  const hints = sent.map((item) => caseHint(values, item));
  return `must be one or more of ${values.join(", ")}, divided by commas${hints.find((hint) => hint !== "") ?? ""}`;
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether every number in a value can be written as JSON again: 1e400 was read as Infinity and cannot. */
function isSerializable(value: unknown): boolean {
  return typeof value === "number"
    ? Number.isFinite(value)
    : typeof value !== "object" || value === null || Object.values(value).every(isSerializable);
}

/** The most bytes of a free-form object as JSON: it is read with every list of its records. */
const maxFreeForm = 16_000;

/** A free-form object, stored unchanged. A schema that rebuilds it would lose keys such as `__proto__`. */
export const freeForm = z
  .custom<Record<string, unknown>>(isObject, "must be an object")
  .refine(isSerializable, "must not contain numbers that are too large")
  .refine(
    (value) => hasAtMostBytes(maxFreeForm, JSON.stringify(value)),
    `must have at most ${maxFreeForm} bytes as JSON`,
  )
  .openapi({ type: "object", additionalProperties: true });

function isImageUrl(value: string): boolean {
  const url = !/\s/.test(value) && URL.canParse(value) ? new URL(value) : undefined;
  return url?.protocol === "https:" && url.username === "" && url.password === "";
}

/** A host with a top-level domain of letters, and printable ASCII behind it. Other hosts that a browser reads pass too. */
const plainHttps =
  "^https://([A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?\\.)+[A-Za-z]{2,63}(:[0-9]{1,4})?([/?#][!-~]*)?$";

/** An https address without credentials. The service shows it and never fetches it. */
export const imageUrl = z
  .string()
  .max(2048)
  .refine(isImageUrl, "must be an https URL without credentials")
  .openapi({ format: "uri", pattern: plainHttps, example: "https://cdn.example.com/biscuit.jpg" });

const unitForm = {
  type: "string" as const,
  enum: [...intervalUnits],
  description:
    "The unit of an interval: DAY, WEEK, MONTH or YEAR. Requests may have it in any case; responses have it in capitals.",
  example: "MONTH",
};

/** A unit of a schedule: read in any case, stored and returned in capitals. */
export const intervalUnit = z
  .string()
  .transform((unit) => unit.toUpperCase())
  .pipe(z.enum(intervalUnits, `must be one of ${intervalUnits.join(", ")}`))
  .openapi("IntervalUnit", unitForm);

/** A unit of a schedule in a response. */
export const intervalUnitOut = z.enum(intervalUnits).openapi("IntervalUnit", unitForm);

/** The number of units in an interval. The largest depends on the unit, so that `intervalFault` alone checks it. */
export const intervalCount = z.int().min(1).openapi({ maximum: 365, example: 1 });
