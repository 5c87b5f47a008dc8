import type { MiddlewareHandler } from "hono";
import { etag, RETAINED_304_HEADERS } from "hono/etag";
import type { HonoEnv } from "./document/operation.ts";

/** Answers 304 to a request whose If-None-Match names the response's ETag. A 304 has the headers of its 200. */
export const conditional: MiddlewareHandler<HonoEnv> = etag({
  retainedHeaders: [...RETAINED_304_HEADERS, "access-control-allow-origin", "ratelimit-policy"],
});

/** The description of the headers of such a response, and its 304. */
export const conditionalHeaders = {
  ETag: "Names this version of the content.",
  "Cache-Control": "How long caches may keep it.",
};
export const notModified = { 304: { description: "Not modified since the ETag in If-None-Match." } };

/** The ETag for a SHA-256 in hex. */
export function etagOf(sha256: string): string {
  return `"${sha256.slice(0, 32)}"`;
}
