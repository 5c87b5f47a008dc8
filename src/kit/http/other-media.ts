import type { Context } from "hono";
import type { z } from "zod";
import { mediaTypeOf, refuseRequired, textOf } from "./body.ts";
import type { AnyOperation, HonoEnv } from "./document/operation.ts";
import { parseJson, refuseUnstorable } from "./json.ts";
import { accept } from "./validate.ts";

type OtherMedia = NonNullable<AnyOperation["otherMedia"]>;

/**
 * Reads and checks the body of an operation that accepts other media types besides JSON, such as the bulk upload. Each is parsed
 * into one value, which the operation's schema checks.
 */
export async function readOtherMedia(
  c: Context<HonoEnv>,
  otherMedia: OtherMedia,
  schema: z.ZodType,
): Promise<unknown> {
  const bytes = c.get("body");
  if (bytes.byteLength === 0) refuseRequired(schema);
  return accept(schema, bytes.byteLength === 0 ? {} : await parse(c, otherMedia, bytes));
}

async function parse(
  c: Context<HonoEnv>,
  otherMedia: OtherMedia,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<unknown> {
  const contentType = c.req.header("content-type") ?? "";
  const media = otherMedia[mediaTypeOf(contentType) ?? ""];
  if (!media) return parseJson(textOf(c));
  const value = await media.parse(bytes, contentType);
  refuseUnstorable(value);
  return value;
}
