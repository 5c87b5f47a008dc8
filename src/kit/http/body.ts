import type { Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { z } from "zod";
import { DomainError, invalid } from "../../base/errors.ts";
import { type AnyOperation, bodyIsOptional, type HonoEnv, mediaTypesOf } from "./document/operation.ts";
import { decodeUtf8 } from "./json.ts";

/**
 * Reads the body: 415 for an encoding or a media type that the operation does not accept, 413 past its limit. It is parsed
 * later. Where a signature over the body is the credential, earlier middleware has read it.
 */
export function receiveBody(operation: AnyOperation): (c: Context<HonoEnv>) => Promise<void> {
  const accepted = mediaTypesOf(operation);
  const readBody = readUpTo(operation.bodyLimit ?? defaultLimit);
  return async (c) => {
    refuseEncoded(c);
    const mediaType = mediaTypeOf(c.req.header("content-type"));
    if (mediaType !== undefined && !accepted.includes(mediaType)) throw newMediaTypeError(accepted);
    const bytes = c.get("body") ?? (await readBody(c));
    if (mediaType === undefined && bytes.byteLength > 0) throw newMediaTypeError(accepted);
    c.set("body", bytes);
  };
}

/** The text of the body that was received. Throws INVALID_JSON if its bytes are not UTF-8. An empty body is `{}`. */
export function textOf(c: Context<HonoEnv>): string {
  const bytes = c.get("body");
  return bytes.byteLength === 0 ? "{}" : decodeUtf8(bytes);
}

/** Throws VALIDATION_FAILED for a body that has required fields. */
export function refuseRequired(body: z.ZodType): void {
  if (!bodyIsOptional({ body })) throw invalid([{ path: "", message: "a body is required" }]);
}

/** Makes a reader of request bodies that stops at the limit. The reader throws PAYLOAD_TOO_LARGE. */
export function readUpTo(limit: number): (c: Context<HonoEnv>) => Promise<Uint8Array<ArrayBuffer>> {
  const refuse = (): never => {
    throw new DomainError("PAYLOAD_TOO_LARGE", `Request body is larger than ${limit} bytes`);
  };
  const withinLimit = bodyLimit({ maxSize: limit, onError: refuse });
  return async (c) => {
    await withinLimit(c, async () => {});
    return new Uint8Array(await c.req.arrayBuffer());
  };
}

/** The media type of a Content-Type header, without parameters, in lower case. */
export function mediaTypeOf(header: string | undefined): string | undefined {
  return header?.split(";")[0]?.trim().toLowerCase();
}

const defaultLimit = 1024 * 1024;

/** Encoded bodies are refused (RFC 9110 §15.5.16), so that the limit in bytes applies to the text that is parsed. */
function refuseEncoded(c: Context<HonoEnv>): void {
  if (c.req.header("content-encoding") === undefined) return;
  c.header("Accept-Encoding", "identity");
  throw new DomainError("UNSUPPORTED_MEDIA_TYPE", "The body must be sent without Content-Encoding");
}

function newMediaTypeError(accepted: string[]): DomainError {
  return new DomainError("UNSUPPORTED_MEDIA_TYPE", `Content-Type must be ${accepted.join(" or ")}`);
}
