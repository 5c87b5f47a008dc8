import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { DomainError, type ErrorDetail, invalid, mostDetails, mostText } from "../errors.ts";
import { isStorable, shortened } from "../lib/text.ts";
import { decodeUtf8, mediaTypeOf } from "./body.ts";
import type { HonoEnv } from "./hono-env.ts";
import { type AnyOperation, bodyIsOptional } from "./operation.ts";

const maxDepth = 64;
/** More than the largest upload has: ten thousand rows of nineteen fields. */
const maxValues = 250_000;
const mayBeUnstorable = /\\u(0000|d[89a-f])/i;

type Issue = z.core.$ZodIssue;

/** Of several forms the one that was meant: the one with the fewest faults. */
const nearest = (forms: Issue[][]): Issue[] => forms.toSorted((a, b) => a.length - b.length)[0] ?? [];

/** Where several forms are possible, the faults of the nearest, at their place in the whole. */
const flattened = (issues: Issue[]): Issue[] =>
  issues.flatMap((issue) =>
    issue.code === "invalid_union" && issue.errors.length > 0
      ? flattened(nearest(issue.errors)).map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }))
      : [issue],
  );

/** Each fault with its dotted path; an unknown key is named as the path. */
const detailsOf = (error: z.ZodError, unknown: string): ErrorDetail[] =>
  flattened(error.issues.slice(0, mostDetails)).flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => ({ path: [...issue.path, key].join("."), message: unknown }))
      : [{ path: issue.path.join("."), message: issue.message }],
  );

/** Refuses what no schema sees: text, anywhere in a value, that cannot be stored as it is. */
const refuseUnstorable = (root: unknown): void => {
  const faults: ErrorDetail[] = [];
  const pending: { value: unknown; path: string[] }[] = [{ value: root, path: [] }];
  for (let next = pending.pop(); next && faults.length < mostDetails; next = pending.pop()) {
    const { value, path } = next;
    if (typeof value === "string" && !isStorable(value))
      faults.push({ path: path.join("."), message: "must not contain NUL or lone surrogates" });
    if (typeof value !== "object" || value === null) continue;
    for (const [key, member] of Object.entries(value)) {
      if (!isStorable(key))
        faults.push({ path: path.join("."), message: "has a key with NUL or lone surrogates" });
      pending.push({ value: member, path: [...path, shortened(key, mostText)] });
    }
  }
  if (faults.length > 0) throw invalid(faults);
};

/** What is wrong with the shape of a JSON text, if anything: told without building what it describes. */
const shapeFault = (text: string): string | undefined => {
  let depth = 0;
  let values = 1;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (inString) {
      if (char === 0x5c) at++;
      else if (char === 0x22) inString = false;
    } else if (char === 0x22) inString = true;
    else if (char === 0x7b || char === 0x5b) {
      values++;
      if (++depth > maxDepth) return `is nested deeper than ${maxDepth} levels`;
    } else if (char === 0x7d || char === 0x5d) depth--;
    else if (char === 0x2c && ++values > maxValues) return `holds more than ${maxValues} values`;
  }
  return values > maxValues ? `holds more than ${maxValues} values` : undefined;
};

/** Parses a JSON text. Throws INVALID_JSON, or VALIDATION_FAILED for text that cannot be stored, deep nesting and too many values. */
export const parseJson = (text: string): unknown => {
  const fault = shapeFault(text);
  if (fault) throw invalid([{ path: "", message: fault }]);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new DomainError("INVALID_JSON", "Request body is not valid JSON");
  }
  if (mayBeUnstorable.test(text)) refuseUnstorable(value);
  return value;
};

const bodyOf = async (c: Context<HonoEnv>, operation: AnyOperation): Promise<unknown> => {
  const bytes = c.get("body");
  const mediaType = mediaTypeOf(c.req.header("content-type"));
  if (bytes.byteLength === 0) {
    if (bodyIsOptional(operation)) return {};
    throw invalid([{ path: "", message: "a body is required" }]);
  }
  const other = mediaType === undefined ? undefined : operation.otherMedia?.[mediaType];
  if (!other) return parseJson(decodeUtf8(bytes));
  const value = await other.parse(bytes, c.req.header("content-type") ?? "");
  refuseUnstorable(value);
  return value;
};

const check = (schema: z.ZodType, value: unknown, unknown: string): unknown => {
  const result = schema.safeParse(value);
  if (!result.success) throw invalid(detailsOf(result.error, unknown));
  return result.data;
};

const noQuery = z.strictObject({});

/** The query as an object; each parameter may be given once. With `only`, other parameters are not looked at. */
const queryOf = (url: string, only?: string[]): Record<string, string> => {
  const query: Record<string, string> = Object.create(null);
  const faults: ErrorDetail[] = [];
  for (const [name, value] of new URL(url).searchParams) {
    if (only && !only.includes(name)) continue;
    if (name in query) faults.push({ path: name, message: "is given more than once" });
    if (!isStorable(value) || !isStorable(name)) faults.push({ path: name, message: "must not contain NUL" });
    query[name] = value;
  }
  if (faults.length > 0) throw invalid(faults);
  return query;
};

export type Validated = { params: unknown; query: unknown; body: unknown };

/** Path, query and body, checked against the schemas the document shows. Throws VALIDATION_FAILED or INVALID_JSON. */
export const validate = (operation: AnyOperation): ((c: Context<HonoEnv>) => Promise<Validated>) => {
  const { params, query = noQuery, body, openQuery } = operation;
  const only = openQuery ? Object.keys(query.shape) : undefined;
  return async (c) => ({
    params: params ? check(params, c.req.param(), "unknown") : {},
    query: check(query, queryOf(c.req.url, only), "unknown query parameter"),
    body: body ? check(body, await bodyOf(c, operation), "unknown field") : undefined,
  });
};
