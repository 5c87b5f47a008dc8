import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { DomainError, invalid } from "../../base/errors.ts";
import { decodeUtf8, refuseUnsafeJson } from "./json.ts";
import { type AnyOperation, bodyIsOptional, type HonoEnv, mediaTypesOf } from "./operation.ts";

/**
 * Reads the body: 415 for an encoding or a media type that the operation does not accept, 413 past its limit. It is parsed
 * later. Where a signature over the body is the credential, earlier middleware has read it.
 */
export function receiveBody(operation: AnyOperation): MiddlewareHandler<HonoEnv> {
  const accepted = mediaTypesOf(operation);
  const readBody = readUpTo(operation.bodyLimit ?? defaultLimit);
  return async (c, next) => {
    refuseEncoded(c);
    const mediaType = mediaTypeOf(c.req.header("content-type"));
    if (mediaType !== undefined && !accepted.includes(mediaType)) throw newMediaTypeError(accepted);
    const bytes = c.get("body") ?? (await readBody(c));
    if (mediaType === undefined && bytes.byteLength > 0) throw newMediaTypeError(accepted);
    c.set("body", bytes);
    return next();
  };
}

/**
 * Refuses what the validators would accept: bytes that are not UTF-8, JSON that nests too deep, text that cannot be stored,
 * and an empty body where fields are required. Where all fields are optional, an empty body passes as `{}`.
 */
export function screenBody(operation: AnyOperation): MiddlewareHandler<HonoEnv> {
  return async (c, next) => {
    const bytes = c.get("body");
    if (bytes.byteLength === 0) refuseRequired(operation);
    const text = bytes.byteLength === 0 ? "{}" : decodeUtf8(bytes);
    refuseUnsafeJson(text);
    passToValidators(c, text);
    return next();
  };
}

/** Throws VALIDATION_FAILED for an operation whose body has required fields. */
export function refuseRequired(operation: AnyOperation): void {
  if (!bodyIsOptional(operation)) throw invalid([{ path: "", message: "a body is required" }]);
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

/** The media types that the validators recognise as JSON. RFC 9110 also allows a space before a parameter. */
const plainJson = /^application\/json(; ?charset=utf-8)?$/i;

/** Puts the text where Hono caches a body that was read, under a media type that the validators recognise. */
function passToValidators(c: Context<HonoEnv>, text: string): void {
  Object.assign(c.req.bodyCache, { text: Promise.resolve(text) });
  const contentType = c.req.header("content-type");
  if (contentType === undefined || plainJson.test(contentType)) return;
  const headers = new Headers(c.req.raw.headers);
  headers.set("Content-Type", "application/json");
  c.req.raw = new Request(c.req.url, { method: c.req.method, headers });
}
