import { OpenAPIHono } from "@hono/zod-openapi";
import { allowedOrigins, privateUnlessSaid, securityHeaders } from "./http/headers.ts";
import type { HonoEnv } from "./http/hono-env.ts";
import { mount } from "./http/mount.ts";
import { observe } from "./http/observe.ts";
import type { AnyOperation } from "./http/operation.ts";
import { refuseInvalid } from "./http/validate.ts";
import { operations } from "./operations.ts";
import { portalMiddleware } from "./portal/routes.ts";

let whole: OpenAPIHono<HonoEnv> | undefined;

/** The whole HTTP surface. Its routes are made with the first request, so that start-up, queue and cron do not pay for them. */
export function app(): OpenAPIHono<HonoEnv> {
  whole ??= mount(base(), operations);
  return whole;
}

const single = new Map<AnyOperation, OpenAPIHono<HonoEnv>>();

/** One operation by itself, so that no argument can lead a request to another. */
function alone(operation: AnyOperation): OpenAPIHono<HonoEnv> {
  const known = single.get(operation) ?? mount(base(), [operation]);
  single.set(operation, known);
  return known;
}

function base(): OpenAPIHono<HonoEnv> {
  const hono = new OpenAPIHono<HonoEnv>({ defaultHook: refuseInvalid });
  hono.use(securityHeaders, privateUnlessSaid, observe, allowedOrigins);
  hono.use(...portalMiddleware);
  hono.use(async (c, next) => {
    c.set("dispatch", async (operation, request) => alone(operation).fetch(request, c.env, c.executionCtx));
    await next();
  });
  return hono;
}
