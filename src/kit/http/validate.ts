import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { type ErrorDetail, invalid, maxDetails } from "../../base/errors.ts";
import type { HonoEnv } from "./document/operation.ts";
import { withoutUnions } from "./document/unions.ts";
import { messageOf } from "./issue-messages.ts";
import { refuseUnstorable } from "./json.ts";
import { type SentValue, unknownMessage } from "./unknown-fields.ts";

z.config({ customError: messageOf });

/** The value as a schema parses it. Throws VALIDATION_FAILED, each fault with its dotted path. */
export function accept(schema: z.ZodType, value: unknown): unknown {
  const { data, error } = schema.safeParse(value);
  if (error) throw invalid(collectDetails(error, { value, schema }));
  return data;
}

/** A part of a body that a schema of its own checks; faults have the part's name in front of their path. */
export function acceptAt(name: string, schema: z.ZodType, value: unknown): unknown {
  const { data, error } = schema.safeParse(value);
  if (!error) return data;
  const details = collectDetails(error, { value, schema });
  throw invalid(
    details.map(({ path, message }) => ({ path: path === "" ? name : `${name}.${path}`, message })),
  );
}

/** A request's query as a schema parses it; a repeated parameter is a list. Throws VALIDATION_FAILED. */
export function acceptQuery(schema: z.ZodObject, c: Context<HonoEnv>): unknown {
  const sent = Object.entries(c.req.queries());
  const value = Object.fromEntries(
    sent.map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  );
  const { data, error } = schema.safeParse(value);
  if (error) {
    const details = collectDetails(error, { value, schema }, "unknown query parameter");
    throw invalid(details.map((detail) => withRepetition(detail, c)));
  }
  refuseUnstorable(data);
  return data;
}

type Fault = { path: PropertyKey[]; message: string };

/**
 * The first faults of what was sent, each with its dotted path, and of several of one field the last, which knows most of it. The path of
 * an unknown field ends in that field.
 */
export function collectDetails(
  error: Pick<z.ZodError, "issues">,
  sent: SentValue,
  label = "unknown field",
): ErrorDetail[] {
  const faults = withoutUnions(error.issues.slice(0, maxDetails)).flatMap((issue): Fault[] =>
    issue.code === "unrecognized_keys"
      ? issue.keys.slice(0, maxDetails).map((name) => ({
          path: [...issue.path, name],
          message: unknownMessage(label, sent, issue.path, name),
        }))
      : [issue],
  );
  const messages = new Map(faults.slice(0, maxDetails).map(({ path, message }) => [path.join("."), message]));
  return [...messages].map(([path, message]) => ({ path, message }));
}

/** A repeated parameter reaches its schema as a list, and the schema's message would only say that it is not text. */
function withRepetition(detail: ErrorDetail, c: Context<HonoEnv>): ErrorDetail {
  const isRepeated = (c.req.queries(detail.path) ?? []).length > 1;
  return isRepeated ? { ...detail, message: "is given more than once" } : detail;
}
