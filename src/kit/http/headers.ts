import type { MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import { secureHeaders } from "hono/secure-headers";
import { forwardedOf } from "./in-process.ts";
import type { HonoEnv } from "./operation.ts";
import { bookmarkHeader } from "./replicas.ts";

/** Runs a middleware in the Worker outside only, which runs it for the responses of objects too. */
function outsideOnly(middleware: MiddlewareHandler<HonoEnv>): MiddlewareHandler<HonoEnv> {
  return (c, next) => (forwardedOf(c.req.raw) ? next() : middleware(c, next));
}

const apiHeaders = secureHeaders({
  overwrite: false,
  strictTransportSecurity: "max-age=31536000; includeSubDomains",
  xFrameOptions: "DENY",
  contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  // These headers are for pages that open windows and for browsers nobody uses any more. Responses here are data.
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
});

/** Responses can run nothing and cannot be framed, unless a route sets other headers. */
export const securityHeaders = outsideOnly(apiHeaders);

/** Responses are not cached unless a route sets Cache-Control. */
export const noStoreByDefault = outsideOnly(async (c, next) => {
  await next();
  if (!c.res.headers.has("Cache-Control")) c.res.headers.set("Cache-Control", "no-store");
});

/** CORS for the deployment's ALLOWED_ORIGINS, none by default. The portal's own CORS allows every origin. */
export const allowedOrigins = outsideOnly(async (c, next) => {
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
      "X-Request-Id",
      "Idempotency-Replayed",
      bookmarkHeader,
    ],
    maxAge: 600,
  })(c, next);
});
