import { type OpenAPIHonoOptions, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { type ErrorDetail, invalid, maxDetails } from "../errors.ts";
import type { HonoEnv } from "./hono-env.ts";
import { refuseUnstorable } from "./json.ts";
import { nearestName } from "./known-names.ts";

type Issue = z.core.$ZodIssue;
type Schema = z.core.$ZodType | undefined;

/** What a value is not is told by the schemas. Only these issues are also those of a value that is not there. */
const issuesOfAbsence = new Set(["invalid_type", "invalid_value", "invalid_union"]);

z.config({ customError: (issue) => (isAbsent(issue) ? "is required" : undefined) });

function isAbsent({ code, input, discriminator }: z.core.$ZodRawIssue): boolean {
  if (!issuesOfAbsence.has(code ?? "")) return false;
  const isObject = typeof input === "object" && input !== null;
  return input === undefined || (typeof discriminator === "string" && isObject && !(discriminator in input));
}

/** The hook of every route's validators: throws an error in the API's own envelope, each fault with its dotted path. */
export const refuseInvalid: NonNullable<OpenAPIHonoOptions<HonoEnv>["defaultHook"]> = (result, c) => {
  if (result.success) {
    if (result.target === "query") refuseUnstorable(result.data);
    return;
  }
  const { query, body } = c.get("operation") ?? {};
  if (result.target !== "query") throw invalid(detailsOf(result.error, body));
  const details = detailsOf(result.error, query, "unknown query parameter");
  throw invalid(details.map((detail) => withRepetition(detail, c)));
};

type Fault = { path: PropertyKey[]; message: string; unknown?: string };

/** The first faults, each with its dotted path. The path of an unknown key ends in that key. */
export function detailsOf(error: z.ZodError, schema: Schema, message = "unknown field"): ErrorDetail[] {
  return flattened(error.issues.slice(0, maxDetails))
    .flatMap((issue): Fault[] =>
      issue.code === "unrecognized_keys"
        ? issue.keys.map((unknown) => ({ path: issue.path, unknown, message }))
        : [issue],
    )
    .slice(0, maxDetails)
    .map(({ path, message, unknown }) =>
      unknown === undefined
        ? { path: path.join("."), message }
        : {
            path: [...path, unknown].join("."),
            message: withSuggestion(message, nearestName(schema, path, unknown)),
          },
    );
}

function withSuggestion(message: string, name: string | undefined): string {
  return name === undefined ? message : `${message}, did you mean ${name}?`;
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
