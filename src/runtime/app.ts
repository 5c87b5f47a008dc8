import { OpenAPIHono } from "@hono/zod-openapi";
import { Hono, type MiddlewareHandler } from "hono";
import { TrieRouter } from "hono/router/trie-router";
import { getPath } from "hono/utils/url";
import type { Bindings } from "../base/env.ts";
import { once } from "../base/lib/once.ts";
import type { PageEnv } from "../edges/portal/pages/page-env.ts";
import { publicCors } from "../edges/portal/public-cors.ts";
import { allowedOrigins, noStoreByDefault, securityHeaders } from "../kit/http/headers.ts";
import { fromWithin } from "../kit/http/in-process.ts";
import { requireLocalHost } from "../kit/http/local-host.ts";
import { mount } from "../kit/http/mount.ts";
import { observe } from "../kit/http/observe.ts";
import type { AnyOperation, HonoEnv } from "../kit/http/operation.ts";
import { bySpecificity, honoPath } from "../kit/http/paths.ts";
import { refuseInvalid } from "../kit/http/validate.ts";
import { allOperations, areas } from "./operations.ts";

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
 * The app that serves a path, or the paths of a template. What it needs is loaded and made by the first request for it, so that
 * start-up and first requests do not pay for the schemas and validators of all paths.
 */
export async function appFor(path: string): Promise<App> {
  const app = await match(finders, path)?.(path);
  return app ?? unknown();
}

/** Finds the app of a path among those of its area; undefined where it has none. */
type Find = (path: string) => Promise<App | undefined>;

/** Hono's default router would compile all paths and then fall back to this one. */
const finders = new TrieRouter<Find>();
for (const [pattern, loads] of loadsByPattern()) finders.add("ALL", pattern, findOperations(loads));
const others: [Find, string[]][] = [
  [once(installation), ["/shopify/install", "/shopify/callback"]],
  [once(operators), ["/internal/*"]],
  [once(pages), ["/", "/portal/*"]],
];
for (const [find, patterns] of others) for (const pattern of patterns) finders.add("ALL", pattern, find);

/** What was added first of all that the path matches. */
function match<T>(router: TrieRouter<T>, path: string): T | undefined {
  return router.match("ALL", path)[0][0]?.[0];
}

type Load = () => Promise<AnyOperation[]>;

/** The areas of each pattern, the more specific patterns first. */
function loadsByPattern(): [string, Load[]][] {
  const patterns = areas.flatMap(({ paths, load }) => paths.map((pattern) => ({ pattern, load })));
  return [...Map.groupBy(patterns, ({ pattern }) => pattern)]
    .map(([pattern, group]): [string, Load[]] => [pattern, group.map(({ load }) => load)])
    .toSorted(([a], [b]) => b.split("/").length - a.split("/").length);
}

/** Each path has an app of its own, made by the first request for it. */
function findOperations(loads: Load[]): Find {
  const paths = once(async () => {
    const router = new TrieRouter<() => App>();
    const loaded = await Promise.all(loads.map((load) => load()));
    const byPath = Map.groupBy(loaded.flat(), ({ path }) => path);
    for (const [path, operations] of [...byPath].toSorted(([a], [b]) => bySpecificity(a, b)))
      router.add(
        "ALL",
        honoPath(path),
        once(() => mount(base(operations), operations)),
      );
    return router;
  });
  return async (path) => match(await paths(), path)?.();
}

/** Answers 404. */
const unknown = once(() => mount(base([]), []));

/** What every request for a page passes first. */
const beforePages = [securityHeaders, noStoreByDefault, observe, requireLocalHost] as const;

/** The pages by which a merchant installs the app at their store. */
async function installation(): Promise<App> {
  const { serveInstallation } = await import("../edges/installation/routes.ts");
  return serveInstallation(new Hono<HonoEnv>().use(...beforePages));
}

/** What operators call. */
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

function base([first]: AnyOperation[]): OpenAPIHono<HonoEnv> {
  const hono = new OpenAPIHono<HonoEnv>({ defaultHook: refuseInvalid });
  hono.use(async (c, next) => {
    if (first) c.set("operation", atPath(first));
    await next();
  });
  hono.use(securityHeaders, noStoreByDefault, observe, requireLocalHost, allowedOrigins);
  hono.use(...publicCors);
  hono.use(dispatching);
  return hono;
}

/** What is known of a request's operation before its method has been looked at. */
function atPath({ path, errorForm }: AnyOperation): HonoEnv["Variables"]["operation"] {
  return errorForm ? { path, errorForm } : { path };
}
