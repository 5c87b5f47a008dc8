import type { MiddlewareHandler } from "hono";
import { DomainError } from "../errors.ts";
import type { HonoEnv } from "./hono-env.ts";
import { type AnyOperation, mediaTypesOf } from "./operation.ts";

const defaultLimit = 1024 * 1024;

const tooLarge = (limit: number) =>
  new DomainError("PAYLOAD_TOO_LARGE", `Request body is larger than ${limit} bytes`);

const unsupported = (accepted: string[]) =>
  new DomainError("UNSUPPORTED_MEDIA_TYPE", `Content-Type must be ${accepted.join(" or ")}`);

/** The bytes of a request, read no further than the limit, whatever Content-Length says. Throws PAYLOAD_TOO_LARGE. */
export const receiveUpTo = async (request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> => {
  if (Number(request.headers.get("content-length") ?? 0) > limit) throw tooLarge(limit);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
};

/** The media type of a Content-Type header, without parameters, in lower case. */
export const mediaTypeOf = (header: string | undefined): string | undefined =>
  header?.split(";")[0]?.trim().toLowerCase();

/**
 * Takes the body in: 415 for a media type the operation does not name, 413 past its limit. Parsing comes later. Where the
 * body is what proves the caller, it has been taken in already.
 */
export const receiveBody = (operation: AnyOperation): MiddlewareHandler<HonoEnv> => {
  const { body, bodyLimit = defaultLimit } = operation;
  const accepted = mediaTypesOf(operation);
  return async (c, next) => {
    if (!body) return next();
    const mediaType = mediaTypeOf(c.req.header("content-type"));
    if (mediaType !== undefined && !accepted.includes(mediaType)) throw unsupported(accepted);
    const bytes = c.get("body") ?? (await receiveUpTo(c.req.raw, bodyLimit));
    if (mediaType === undefined && bytes.byteLength > 0) throw unsupported(accepted);
    c.set("body", bytes);
    return next();
  };
};

/** The text of a body. Throws INVALID_JSON where its bytes are not UTF-8. */
export const decodeUtf8 = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw new DomainError("INVALID_JSON", "Request body is not valid UTF-8");
  }
};
