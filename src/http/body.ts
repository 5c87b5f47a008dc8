import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { DomainError, invalid } from "../errors.ts";
import type { HonoEnv } from "./hono-env.ts";
import { decodeUtf8, refuseUnsafeJson } from "./json.ts";
import { type AnyOperation, bodyIsOptional, mediaTypesOf } from "./operation.ts";

const defaultLimit = 1024 * 1024;

/**
 * Takes the body in: 415 for an encoding or a media type that the operation does not take, 413 past its limit. Parsing
 * comes later. Where the body is what proves the caller, it has been taken in already.
 */
export const receiveBody = (operation: AnyOperation): MiddlewareHandler<HonoEnv> => {
  const accepted = mediaTypesOf(operation);
  const readBody = readUpTo(operation.bodyLimit ?? defaultLimit);
  return async (c, next) => {
    refuseEncoded(c);
    const mediaType = mediaTypeOf(c.req.header("content-type"));
    if (mediaType !== undefined && !accepted.includes(mediaType)) throw unsupported(accepted);
    const bytes = c.get("body") ?? (await readBody(c));
    if (mediaType === undefined && bytes.byteLength > 0) throw unsupported(accepted);
    c.set("body", bytes);
    return next();
  };
};

/**
 * Refuses what the validators would not: bytes that are not UTF-8, text that nests too deep or cannot be stored, and an
 * empty body where fields are required. An empty one of optional fields is handed on as `{}`.
 */
export const screenBody = (operation: AnyOperation): MiddlewareHandler<HonoEnv> => {
  return async (c, next) => {
    const bytes = c.get("body");
    if (bytes.byteLength === 0) refuseRequired(operation);
    const text = bytes.byteLength === 0 ? "{}" : decodeUtf8(bytes);
    refuseUnsafeJson(text);
    handOn(c, text);
    return next();
  };
};

/** Throws VALIDATION_FAILED for an operation whose body has required fields. */
export function refuseRequired(operation: AnyOperation): void {
  if (!bodyIsOptional(operation)) throw invalid([{ path: "", message: "a body is required" }]);
}

/** Reads the bytes of a request, and no more of them than the limit. Throws PAYLOAD_TOO_LARGE. */
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

/** Nothing is decoded here, so that a limit in bytes is one of what is parsed (RFC 9110 §15.5.16). */
function refuseEncoded(c: Context<HonoEnv>): void {
  if (c.req.header("content-encoding") === undefined) return;
  c.header("Accept-Encoding", "identity");
  throw new DomainError("UNSUPPORTED_MEDIA_TYPE", "The body must be sent without Content-Encoding");
}

function unsupported(accepted: string[]): DomainError {
  return new DomainError("UNSUPPORTED_MEDIA_TYPE", `Content-Type must be ${accepted.join(" or ")}`);
}

/** What the validators take for JSON: less than RFC 9110 has it, which lets a blank stand before a parameter. */
const plainJson = /^application\/json(; ?charset=utf-8)?$/i;

/** Gives the validators the text as Hono keeps it once it is read, and a media type that they know. */
function handOn(c: Context<HonoEnv>, text: string): void {
  Object.assign(c.req.bodyCache, { text: Promise.resolve(text) });
  const contentType = c.req.header("content-type");
  if (contentType === undefined || plainJson.test(contentType)) return;
  const headers = new Headers(c.req.raw.headers);
  headers.set("Content-Type", "application/json");
  c.req.raw = new Request(c.req.url, { method: c.req.method, headers });
}
