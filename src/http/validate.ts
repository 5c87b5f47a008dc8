import type { OpenAPIHonoOptions, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { type ErrorDetail, invalid, mostDetails } from "../errors.ts";
import type { HonoEnv } from "./hono-env.ts";
import { refuseUnstorable } from "./json.ts";

type Issue = z.core.$ZodIssue;

/** What the validators of every route call: a refusal in the API's own envelope, each fault with its dotted path. */
export const refuseInvalid: NonNullable<OpenAPIHonoOptions<HonoEnv>["defaultHook"]> = (result, c) => {
  if (result.success) {
    if (result.target === "query") refuseUnstorable(result.data);
    return;
  }
  const unknown = result.target === "query" ? "unknown query parameter" : "unknown field";
  const details = detailsOf(result.error, unknown);
  throw invalid(result.target === "query" ? details.map((detail) => namingRepeated(detail, c)) : details);
};

/** The first faults, each with its dotted path; an unknown key is named as the path. */
export function detailsOf(error: z.ZodError, unknown: string): ErrorDetail[] {
  return flattened(error.issues.slice(0, mostDetails)).flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => ({ path: [...issue.path, key].join("."), message: unknown }))
      : [{ path: issue.path.join("."), message: issue.message }],
  );
}

/** Where several forms are possible, the faults of the nearest, at their place in the whole. */
function flattened(issues: Issue[]): Issue[] {
  return issues.flatMap((issue) =>
    issue.code === "invalid_union" && issue.errors.length > 0
      ? flattened(nearest(issue.errors)).map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }))
      : [issue],
  );
}

/** Of several forms the one that was meant: the one with the fewest faults. */
function nearest(forms: Issue[][]): Issue[] {
  return forms.toSorted((a, b) => a.length - b.length)[0] ?? [];
}

/** A repeated parameter reaches its schema as a list, and would be told that it is no text. */
function namingRepeated(detail: ErrorDetail, c: Context<HonoEnv>): ErrorDetail {
  const isRepeated = (c.req.queries(detail.path) ?? []).length > 1;
  return isRepeated ? { ...detail, message: "is given more than once" } : detail;
}
