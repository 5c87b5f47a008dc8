import { OpenAPIHono } from "@hono/zod-openapi";
import { Hono, type MiddlewareHandler } from "hono";
import { TrieRouter } from "hono/router/trie-router";
import type { Bindings } from "./env.ts";
import { allowedOrigins, noStoreByDefault, securityHeaders } from "./http/headers.ts";
import type { HonoEnv } from "./http/hono-env.ts";
import { fromWithin } from "./http/in-process.ts";
import { requireLocalHost } from "./http/local-host.ts";
import { mount } from "./http/mount.ts";
import { observe } from "./http/observe.ts";
import type { AnyOperation } from "./http/operation.ts";
import { bySpecificity, honoPath } from "./http/paths.ts";
import { refuseInvalid } from "./http/validate.ts";
import { serveInstallation } from "./installation/routes.ts";
import { operations } from "./operations.ts";
import { serveOperators } from "./operator/door.ts";
import type { PageEnv } from "./portal/pages/page-env.ts";
import { servePages } from "./portal/pages/routes.ts";
import { portalMiddleware } from "./portal/routes.ts";

const byPath = Map.groupBy(operations, ({ path }) => path);
const unknownPath = "";

/**
 * The whole HTTP surface. Each path has its own app, made by the first request for it, so that start-up and first requests
 * do not pay for the validators of every path. Hono's default router would compile all paths and then fall back to this one.
 */
export const app = new Hono<{ Bindings: Bindings }>({ router: new TrieRouter() });
for (const path of [...byPath.keys()].sort(bySpecificity))
  app.all(honoPath(path), (c) => appAt(path).fetch(c.req.raw, c.env, c.executionCtx));
for (const path of ["/shopify/install", "/shopify/callback"])
  app.all(path, (c) => installationApp().fetch(c.req.raw, c.env, c.executionCtx));
app.all("/internal/*", (c) => operatorApp().fetch(c.req.raw, c.env, c.executionCtx));
for (const path of ["/", "/portal", "/portal/*"])
  app.all(path, (c) => pagesApp().fetch(c.req.raw, c.env, c.executionCtx));
app.all("*", (c) => appAt(unknownPath).fetch(c.req.raw, c.env, c.executionCtx));

const apps = new Map<string, OpenAPIHono<HonoEnv>>();

/** The app of one path, which serves the operations of that path alone; the app of an unknown path answers 404. */
export function appAt(path: string): OpenAPIHono<HonoEnv> {
  const operations = byPath.get(path) ?? [];
  const pathApp = apps.get(path) ?? mount(base(operations), operations);
  apps.set(path, pathApp);
  return pathApp;
}

/** What every request for a page passes first. */
const beforePages = [securityHeaders, noStoreByDefault, observe, requireLocalHost] as const;

let installation: Hono<HonoEnv> | undefined;

/** The pages by which a merchant installs the app at their store. */
function installationApp(): Hono<HonoEnv> {
  installation ??= serveInstallation(new Hono<HonoEnv>().use(...beforePages));
  return installation;
}

let operator: Hono<HonoEnv> | undefined;

/** What operators call. */
function operatorApp(): Hono<HonoEnv> {
  operator ??= serveOperators(new Hono<HonoEnv>().use(...beforePages));
  return operator;
}

let pages: Hono<PageEnv> | undefined;

/** The pages of the portal, and the deployment's first page. */
function pagesApp(): Hono<PageEnv> {
  pages ??= servePages(new Hono<PageEnv>().use(...beforePages, dispatching), () => operations);
  return pages;
}

const dispatching: MiddlewareHandler<HonoEnv> = async (c, next) => {
  c.set("dispatch", async ({ path }, request) =>
    appAt(path).fetch(fromWithin(request), c.env, c.executionCtx),
  );
  await next();
};

function base([first]: AnyOperation[]): OpenAPIHono<HonoEnv> {
  const hono = new OpenAPIHono<HonoEnv>({ defaultHook: refuseInvalid });
  hono.use(async (c, next) => {
    if (first) c.set("operation", atPath(first));
    await next();
  });
  hono.use(securityHeaders, noStoreByDefault, observe, requireLocalHost, allowedOrigins);
  hono.use(...portalMiddleware);
  hono.use(dispatching);
  return hono;
}

/** What is known of a request's operation before its method has been looked at. */
function atPath({ path, errorForm }: AnyOperation): HonoEnv["Variables"]["operation"] {
  return errorForm ? { path, errorForm } : { path };
}
