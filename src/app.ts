import { Hono } from "hono";
import { allowedOrigins, securityHeaders } from "./http/headers.ts";
import type { HonoEnv } from "./http/hono-env.ts";
import { mount } from "./http/mount.ts";
import { observe } from "./http/observe.ts";
import type { AnyOperation } from "./http/operation.ts";
import { operations } from "./operations.ts";
import { portalMiddleware } from "./portal/routes.ts";

const base = (): Hono<HonoEnv> => {
  const hono = new Hono<HonoEnv>();
  hono.use(securityHeaders, observe, allowedOrigins);
  hono.use(...portalMiddleware);
  hono.use(async (c, next) => {
    c.set("dispatch", async (operation, request) => alone(operation).fetch(request, c.env, c.executionCtx));
    await next();
  });
  return hono;
};

const made = new Map<AnyOperation, Hono<HonoEnv>>();

/** One operation by itself, so that no argument can lead a request to another. */
const alone = (operation: AnyOperation): Hono<HonoEnv> => {
  const known = made.get(operation) ?? mount(base(), [operation]);
  made.set(operation, known);
  return known;
};

/** The whole HTTP surface. */
export const app: Hono<HonoEnv> = mount(base(), operations);
