import { OpenAPIHono } from "@hono/zod-openapi";
import { Hono } from "hono";
import { TrieRouter } from "hono/router/trie-router";
import type { Bindings } from "./env.ts";
import { allowedOrigins, privateUnlessSaid, securityHeaders } from "./http/headers.ts";
import type { HonoEnv } from "./http/hono-env.ts";
import { requireLocalHost } from "./http/local-host.ts";
import { mount } from "./http/mount.ts";
import { observe } from "./http/observe.ts";
import { bySpecificity, honoPath } from "./http/paths.ts";
import { refuseInvalid } from "./http/validate.ts";
import { operations } from "./operations.ts";
import { portalMiddleware } from "./portal/routes.ts";

const byPath = Map.groupBy(operations, ({ path }) => path);
const noPath = "";

/**
 * The whole HTTP surface. Each path leads to an app of its own, made with the first request for it, so that start-up and
 * first requests do not pay for the validators of all. Hono's default router would read all paths only to give up on them.
 */
export const app = new Hono<{ Bindings: Bindings }>({ router: new TrieRouter() });
for (const path of [...byPath.keys()].sort(bySpecificity))
  app.all(honoPath(path), (c) => appAt(path).fetch(c.req.raw, c.env, c.executionCtx));
app.all("*", (c) => appAt(noPath).fetch(c.req.raw, c.env, c.executionCtx));

const made = new Map<string, OpenAPIHono<HonoEnv>>();

/** The operations of one path, whatever a request's path would match besides; with none, what an unknown path answers. */
export function appAt(path: string): OpenAPIHono<HonoEnv> {
  const known = made.get(path) ?? mount(base(), byPath.get(path) ?? []);
  made.set(path, known);
  return known;
}

function base(): OpenAPIHono<HonoEnv> {
  const hono = new OpenAPIHono<HonoEnv>({ defaultHook: refuseInvalid });
  hono.use(securityHeaders, privateUnlessSaid, observe, requireLocalHost, allowedOrigins);
  hono.use(...portalMiddleware);
  hono.use(async (c, next) => {
    c.set("dispatch", async ({ path }, request) => appAt(path).fetch(request, c.env, c.executionCtx));
    await next();
  });
  return hono;
}
