import type { MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import type { HonoEnv } from "./hono-env.ts";

const always = {
  "X-Content-Type-Options": "nosniff",
  "Strict-Transport-Security": "max-age=31536000; includeSubDomains",
  "Referrer-Policy": "no-referrer",
  "X-Frame-Options": "DENY",
  "Cross-Origin-Resource-Policy": "same-origin",
};

/** Answers are private and inert unless a route says otherwise (Cache-Control, Content-Security-Policy). */
const unlessSet = {
  "Cache-Control": "no-store",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
};

export const securityHeaders: MiddlewareHandler<HonoEnv> = async (c, next) => {
  await next();
  const { headers } = c.res;
  for (const [name, value] of Object.entries(always)) if (!headers.has(name)) headers.set(name, value);
  for (const [name, value] of Object.entries(unlessSet)) if (!headers.has(name)) headers.set(name, value);
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
