import type { OpenAPIHonoOptions, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { type ErrorDetail, invalid, maxDetails } from "../errors.ts";
import type { HonoEnv } from "./hono-env.ts";
import { refuseUnstorable } from "./json.ts";

type Issue = z.core.$ZodIssue;

/** The hook of every route's validators: throws an error in the API's own envelope, each fault with its dotted path. */
export const refuseInvalid: NonNullable<OpenAPIHonoOptions<HonoEnv>["defaultHook"]> = (result, c) => {
  if (result.success) {
    if (result.target === "query") refuseUnstorable(result.data);
    return;
  }
  const unknown = result.target === "query" ? "unknown query parameter" : "unknown field";
  const details = detailsOf(result.error, unknown);
  throw invalid(result.target === "query" ? details.map((detail) => withRepetition(detail, c)) : details);
};

/** The first faults, each with its dotted path. The path of an unknown key ends in that key. */
export function detailsOf(error: z.ZodError, unknown: string): ErrorDetail[] {
  return flattened(error.issues.slice(0, maxDetails)).flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => ({ path: [...issue.path, key].join("."), message: unknown }))
      : [{ path: issue.path.join("."), message: issue.message }],
  );
}

/** Of a union the faults of its nearest member, with their paths in the whole value. */
function flattened(issues: Issue[]): Issue[] {
  return issues.flatMap((issue) =>
    issue.code === "invalid_union" && issue.errors.length > 0
      ? flattened(nearest(issue.errors)).map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }))
      : [issue],
  );
}

/**
 * The member of a union that the caller probably meant: the one that knows most of the fields that were sent, and of those the
 * one with the fewest faults.
 */
function nearest(members: Issue[][]): Issue[] {
  return members.toSorted((a, b) => unknownKeys(a) - unknownKeys(b) || a.length - b.length)[0] ?? [];
}

function unknownKeys(issues: Issue[]): number {
  return issues.reduce((sum, issue) => sum + (issue.code === "unrecognized_keys" ? issue.keys.length : 0), 0);
}

/** A repeated parameter reaches its schema as a list, and the schema's message would only say that it is not text. */
function withRepetition(detail: ErrorDetail, c: Context<HonoEnv>): ErrorDetail {
  const isRepeated = (c.req.queries(detail.path) ?? []).length > 1;
  return isRepeated ? { ...detail, message: "is given more than once" } : detail;
}
