import type { MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import type { HonoEnv } from "../../kit/http/document/operation.ts";

/** The look-up that shops' pages make without credentials. */
export const publicPath = "/api/public/portal/skip-reasons";

/** The exchange of a store's session token for a link, which the store's own pages make. The token in the body is the credential. */
export const storeSessionsPath = "/api/portal/store-sessions";

/** Mounted before the operations of these paths: it also answers preflights. Any origin may call them. */
export const publicCors: Partial<Record<string, MiddlewareHandler<HonoEnv>>> = {
  [publicPath]: anyOrigin(["GET", "HEAD"], ["If-None-Match", "X-Request-Id"]),
  [storeSessionsPath]: anyOrigin(["POST"], ["Content-Type", "X-Request-Id"]),
};

function anyOrigin(allowMethods: string[], allowHeaders: string[]): MiddlewareHandler<HonoEnv> {
  return cors({
    origin: "*",
    allowMethods,
    allowHeaders,
    exposeHeaders: ["ETag", "X-Request-Id", "Retry-After", "RateLimit", "RateLimit-Policy"],
    maxAge: 86_400,
  });
}
