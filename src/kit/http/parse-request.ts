import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { refuseRequired, textOf } from "./body.ts";
import type { RequestSchemas } from "./document/load-schemas.ts";
import type { AnyOperation, HandlerInput, HonoEnv } from "./document/operation.ts";
import { parseSafeJson, refuseUnsafeJson } from "./json.ts";
import { readOtherMedia } from "./other-media.ts";
import { accept, acceptQuery } from "./validate.ts";

/** Query, path and body of a request, as the schemas of its operation make them. Throws VALIDATION_FAILED or INVALID_JSON. */
export async function parseRequest(
  c: Context<HonoEnv>,
  { otherMedia }: AnyOperation,
  { params, query, body }: RequestSchemas,
): Promise<Pick<HandlerInput, "params" | "query" | "body">> {
  const text = body && !otherMedia ? screenBody(c, body) : undefined;
  const accepted = {
    query: acceptQuery(query ?? noQuery, c),
    params: params && accept(params, c.get("params")),
  };
  if (!body) return { ...accepted, body: undefined };
  if (otherMedia) return { ...accepted, body: await readOtherMedia(c, otherMedia, body) };
  const parsed = accept(body, parseSafeJson(text ?? ""));
  c.set("parsedBody", parsed);
  return { ...accepted, body: parsed };
}

const noQuery = z.strictObject({});

/**
 * The text of the body. Refuses what its schema would not: bytes that are not UTF-8, JSON that nests too deep, text that cannot be stored,
 * and an empty body where fields are required. Where all fields are optional, an empty body passes as `{}`.
 */
function screenBody(c: Context<HonoEnv>, schema: z.ZodType): string {
  if (c.get("body").byteLength === 0) refuseRequired(schema);
  const text = textOf(c);
  refuseUnsafeJson(text);
  return text;
}
