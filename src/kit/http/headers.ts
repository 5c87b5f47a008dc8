import type { MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import type { HonoEnv } from "./document/operation.ts";
import { bookmarkHeader } from "./replicas.ts";

/** Has a response run nothing, be framed nowhere and be cached by nobody, unless its route has set other headers. */
export function protectResponse({ headers }: Response): void {
  for (const [name, value] of protection) if (!headers.has(name)) headers.set(name, value);
}

/** Responses here are data: there is no header for pages that open windows, and none for browsers nobody uses any more. */
const protection = Object.entries({
  "Cache-Control": "no-store",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "Strict-Transport-Security": "max-age=31536000; includeSubDomains",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
});

/** CORS for the deployment's ALLOWED_ORIGINS, none by default. The portal's own CORS allows every origin. */
export const allowedOrigins: MiddlewareHandler<HonoEnv> = async (c, next) => {
  const { ALLOWED_ORIGINS: origins } = c.get("env");
  const origin = c.req.header("origin");
  if (origin === undefined || !origins.includes(origin)) return next();
  return cors({
    origin,
    allowMethods: ["GET", "HEAD", "POST", "PUT", "DELETE"],
    allowHeaders: [
      ...["Authorization", "Content-Type", "Idempotency-Key", "X-API-Key", "X-Request-Id"],
      ...["MCP-Protocol-Version", "Mcp-Method", "Mcp-Name", "X-MCP-Toolsets", bookmarkHeader],
    ],
    exposeHeaders: [
      "Link",
      "Location",
      "Retry-After",
      "Entry-Id",
      "X-Request-Id",
      "Idempotency-Replayed",
      bookmarkHeader,
    ],
    maxAge: 600,
  })(c, next);
};
