import type { MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import type { HonoEnv } from "../../kit/http/document/operation.ts";

/** The look-up that shops' pages make without credentials. */
export const publicPath = "/api/public/portal/skip-reasons";

/** Mounted before the operation of the path: it also answers preflights. Any origin may read what is public. */
export const publicCors: MiddlewareHandler<HonoEnv> = cors({
  origin: "*",
  allowMethods: ["GET", "HEAD"],
  allowHeaders: ["If-None-Match", "X-Request-Id"],
  exposeHeaders: ["ETag", "X-Request-Id", "Retry-After", "RateLimit", "RateLimit-Policy"],
  maxAge: 86_400,
});
