import { Hono } from "hono";
import { allowedOrigins, securityHeaders } from "./http/headers.ts";
import type { HonoEnv } from "./http/hono-env.ts";
import { mount } from "./http/mount.ts";
import { observe } from "./http/observe.ts";
import { operations } from "./operations.ts";
import { portalMiddleware } from "./portal/routes.ts";

const base = new Hono<HonoEnv>();
base.use(securityHeaders, observe, allowedOrigins);
base.use(...portalMiddleware);
base.use(async (c, next) => {
  c.set("dispatch", async (request) => app.fetch(request, c.env, c.executionCtx));
  await next();
});

/** The whole HTTP surface. */
export const app: Hono<HonoEnv> = mount(base, operations);
