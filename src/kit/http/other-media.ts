import type { Context } from "hono";
import { invalid } from "../../base/errors.ts";
import { mediaTypeOf, refuseRequired } from "./body.ts";
import { decodeUtf8, parseJson, refuseUnstorable } from "./json.ts";
import type { AnyOperation, HonoEnv } from "./operation.ts";
import { detailsOf } from "./validate.ts";

/**
 * Reads and checks the body of an operation that accepts other media types besides JSON, such as the bulk upload. zod-openapi
 * would check a form against the schema of a form, and would not check CSV. Here each is parsed into one value, which the
 * operation's schema checks.
 */
export async function readOtherMedia(operation: AnyOperation, c: Context<HonoEnv>): Promise<unknown> {
  const bytes = c.get("body");
  if (bytes.byteLength === 0) refuseRequired(operation);
  const value = bytes.byteLength === 0 ? {} : await parsed(operation, c, bytes);
  const result = operation.body?.safeParse(value);
  if (result && !result.success) throw invalid(detailsOf(result.error, { value, schema: operation.body }));
  return result?.data;
}

async function parsed(
  { otherMedia = {} }: AnyOperation,
  c: Context<HonoEnv>,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<unknown> {
  const contentType = c.req.header("content-type") ?? "";
  const media = otherMedia[mediaTypeOf(contentType) ?? ""];
  if (!media) return parseJson(decodeUtf8(bytes));
  const value = await media.parse(bytes, contentType);
  refuseUnstorable(value);
  return value;
}
