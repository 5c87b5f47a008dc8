// Gives schemas their descriptions. It comes first, because a schema that was made before has no place for one.
import "@hono/zod-openapi";
import { Hono, type MiddlewareHandler } from "hono";
import { TrieRouter } from "hono/router/trie-router";
import { getPath } from "hono/utils/url";
import type { Bindings } from "../base/env.ts";
import { once } from "../base/lib/once.ts";
import type { PageEnv } from "../edges/portal/pages/page-env.ts";
import { publicCors, publicPath } from "../edges/portal/public-cors.ts";
import { allowedOrigins, noStoreByDefault, securityHeaders } from "../kit/http/headers.ts";
import { fromWithin } from "../kit/http/in-process.ts";
import { requireLocalHost } from "../kit/http/local-host.ts";
import { mount } from "../kit/http/mount.ts";
import { observe } from "../kit/http/observe.ts";
import type { AnyOperation, HonoEnv } from "../kit/http/operation.ts";
import { bySpecificity, honoPath } from "../kit/http/paths.ts";
import { type Area, allOperations, areas } from "./operations.ts";

type App = {
  fetch(
    request: Request,
    bindings: Bindings,
    executionCtx: Parameters<Hono["fetch"]>[2],
  ): Response | Promise<Response>;
  routes: Hono["routes"];
};

/** The whole HTTP surface. */
export async function serve(
  request: Request,
  bindings: Bindings,
  executionCtx: ExecutionContext,
): Promise<Response> {
  const app = await appFor(getPath(request));
  return app.fetch(request, bindings, executionCtx);
}

/**
 * The app that serves a path, or the paths of a template. Its modules and schemas are loaded and made by the first request for
 * it, so that start-up and first requests do not pay for the schemas and validators of all paths.
 */
export async function appFor(path: string): Promise<App> {
  const [[found]] = finders.match("ALL", path);
  return found ? found[0]() : unknown();
}

type Find = () => App | Promise<App>;

/** Hono's default router would compile all paths and then fall back to this one. */
const finders = new TrieRouter<Find>();
for (const [path, its] of areasByPath())
  finders.add(
    "ALL",
    honoPath(path),
    once(() => openPath(path, its)),
  );
const others: [Find, string[]][] = [
  [once(installation), ["/shopify/install", "/shopify/callback"]],
  [once(operators), ["/internal/*"]],
  [once(pages), ["/", "/portal/*"]],
];
for (const [find, patterns] of others) for (const pattern of patterns) finders.add("ALL", pattern, find);

/** The areas that have operations on each path, the more specific paths first: of all that match a request the first answers. */
function areasByPath(): [string, Area[]][] {
  const named = areas.flatMap((area) => area.paths.map((path) => ({ path, area })));
  return [...Map.groupBy(named, ({ path }) => path)]
    .map(([path, group]): [string, Area[]] => [path, group.map(({ area }) => area)])
    .toSorted(([a], [b]) => bySpecificity(a, b));
}

async function openPath(path: string, its: Area[]): Promise<App> {
  const loaded = await Promise.all(its.map(({ load }) => load()));
  const operations = loaded.flat().filter((operation) => operation.path === path);
  return mount(base(operations), operations);
}

/** Answers 404. */
const unknown = once(() => mount(base([]), []));

/** The middleware that every request for a page passes first. */
const beforePages = [securityHeaders, noStoreByDefault, observe, requireLocalHost] as const;

/** The pages by which a merchant installs the app at their store. */
async function installation(): Promise<App> {
  const { serveInstallation } = await import("../edges/installation/routes.ts");
  return serveInstallation(new Hono<HonoEnv>().use(...beforePages));
}

/** The paths of the operators' door. */
async function operators(): Promise<App> {
  const { serveOperators } = await import("../edges/operator/door.ts");
  return serveOperators(new Hono<HonoEnv>().use(...beforePages));
}

/** The pages of the portal, and the deployment's first page. */
async function pages(): Promise<App> {
  const { servePages } = await import("../edges/portal/pages/routes.ts");
  return servePages(new Hono<PageEnv>().use(...beforePages, dispatching), await allOperations());
}

const dispatching: MiddlewareHandler<HonoEnv> = async (c, next) => {
  c.set("dispatch", async ({ path }, request) => {
    const app = await appFor(path);
    return app.fetch(fromWithin(request), c.env, c.executionCtx);
  });
  await next();
};

function base([first]: AnyOperation[]): Hono<HonoEnv> {
  const hono = new Hono<HonoEnv>({ router: new TrieRouter() });
  hono.use(async (c, next) => {
    if (first) c.set("operation", atPath(first));
    await next();
  });
  hono.use(securityHeaders, noStoreByDefault, observe, requireLocalHost, allowedOrigins);
  if (first?.path === publicPath) hono.use(publicCors);
  hono.use(dispatching);
  return hono;
}

/** The facts about a request's operation that hold before its method has been looked at. */
function atPath({ path, errorForm }: AnyOperation): HonoEnv["Variables"]["operation"] {
  return errorForm ? { path, errorForm } : { path };
}
