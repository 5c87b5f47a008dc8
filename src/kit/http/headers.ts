import type { Context, MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import { secureHeaders } from "hono/secure-headers";
import type { HonoEnv } from "./operation.ts";
import { bookmarkHeader } from "./replicas.ts";

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

/** Has a response run nothing, be framed nowhere and be cached by nobody, unless its route has set other headers. */
export async function protectResponse(c: Context<HonoEnv>): Promise<void> {
  if (!c.res.headers.has("Cache-Control")) c.res.headers.set("Cache-Control", "no-store");
  await apiHeaders(c, async () => {});
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
      "X-Request-Id",
      "Idempotency-Replayed",
      bookmarkHeader,
    ],
    maxAge: 600,
  })(c, next);
};
