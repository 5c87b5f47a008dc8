import type { Context, MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import type { StatusCode } from "hono/utils/http-status";
import type { HonoEnv } from "./document/operation.ts";
import { bookmarkHeader } from "./replicas.ts";

/**
 * Keeps the headers that the request's middleware and handler set, so that its response is made with all of them at once: a header that is
 * added to a response, or to a copy of it, costs several times as much.
 */
export function keepHeaders(c: Context<HonoEnv>): void {
  const kept: Record<string, string> = {};
  c.set("headers", kept);
  c.header = (name, value) => {
    if (value === undefined) delete kept[name];
    else kept[name] = value;
  };
}

/** An answer in JSON with all its headers, to which `completeHeaders` has nothing to add. */
export function newJsonResponse(c: Context<HonoEnv>, text: string | null, status: StatusCode): Response {
  const response = new Response(text, { status, headers: ofJson });
  setOwn(c, response.headers);
  c.set("whole", response);
  return response;
}

/**
 * Gives the response what was kept for it. One that leaves the service runs nothing, is framed nowhere and is cached by nobody, unless its
 * route has set other headers.
 */
export function completeHeaders(c: Context<HonoEnv>, leaves: boolean): void {
  if (c.res === c.get("whole")) return;
  const { headers } = c.res;
  setOwn(c, headers);
  if (!leaves) return;
  for (const [name, value] of Object.entries(protection)) if (!headers.has(name)) headers.set(name, value);
}

/** Responses here are data: there is no header for pages that open windows, and none for browsers nobody uses any more. */
const protection = {
  "Cache-Control": "no-store",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "Strict-Transport-Security": "max-age=31536000; includeSubDomains",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
};

/** A copy of these costs less than headers that are made of texts. */
const ofJson = new Headers({ ...protection, "Content-Type": "application/json" });

/** Sets the headers that were kept for a response. Pages have kept none. */
function setOwn(c: Context<HonoEnv>, headers: Headers): void {
  const kept = c.get("headers") ?? {};
  for (const name in kept) headers.set(name, kept[name] ?? "");
  headers.set("X-Request-Id", c.get("requestId"));
}

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
