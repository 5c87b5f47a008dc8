import type { MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import { secureHeaders } from "hono/secure-headers";
import type { HonoEnv } from "./hono-env.ts";

/** Answers are inert unless a route says otherwise. */
export const securityHeaders: MiddlewareHandler<HonoEnv> = secureHeaders({
  overwrite: false,
  strictTransportSecurity: "max-age=31536000; includeSubDomains",
  xFrameOptions: "DENY",
  contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  // For pages that open windows or are opened in one, and for browsers that are gone: answers here are data.
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
});

/** Answers are private unless a route says otherwise. */
export const privateUnlessSaid: MiddlewareHandler<HonoEnv> = async (c, next) => {
  await next();
  if (!c.res.headers.has("Cache-Control")) c.res.headers.set("Cache-Control", "no-store");
};

/** CORS for the deployment's ALLOWED_ORIGINS, none by default. The portal has its own, for everybody. */
export const allowedOrigins: MiddlewareHandler<HonoEnv> = async (c, next) => {
  const { ALLOWED_ORIGINS: origins } = c.get("env");
  const origin = c.req.header("origin");
  if (origin === undefined || !origins.includes(origin)) return next();
  return cors({
    origin,
    allowMethods: ["GET", "HEAD", "POST", "PUT", "DELETE"],
    allowHeaders: [
      ...["Authorization", "Content-Type", "Idempotency-Key", "X-API-Key", "X-Request-Id"],
      ...["MCP-Protocol-Version", "Mcp-Method", "Mcp-Name"],
    ],
    exposeHeaders: ["Link", "Location", "Retry-After", "X-Request-Id", "Idempotency-Replayed"],
    maxAge: 600,
  })(c, next);
};
