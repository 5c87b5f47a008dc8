// Gives schemas their descriptions. It comes first, because a schema that was made before has no place for one.
import "@hono/zod-openapi";
import { Hono, type MiddlewareHandler } from "hono";
import type { Params } from "hono/router";
import { TrieRouter } from "hono/router/trie-router";
import { getPath } from "hono/utils/url";
import type { ForwardedCall, Ran } from "../base/accounts/objects.ts";
import type { Bindings } from "../base/env.ts";
import { once } from "../base/lib/once.ts";
import type { ConsoleEnv } from "../edges/console/pages/console-env.ts";
import type { PageEnv } from "../edges/portal/pages/page-env.ts";
import { publicCors } from "../edges/portal/public-cors.ts";
import type { HonoEnv } from "../kit/http/document/operation.ts";
import { completeHeaders } from "../kit/http/headers.ts";
import { fromWithin } from "../kit/http/in-process.ts";
import { requireLocalHost } from "../kit/http/local-host.ts";
import { beginRequest, endRequest } from "../kit/http/observe.ts";
import { bySpecificity, honoPath, parameterNamesOf, paramsIn, withParameters } from "../kit/http/paths.ts";
import { type Around, openPath, runOperation, type ServedPath, servePath } from "../kit/http/serve-path.ts";
import { installing } from "../stores/platforms.ts";
import { type Area, allOperations, apiDocument, areas } from "./operations.ts";

/** Answers requests to a path; its parameters are as they were sent. */
type Serve = (
  request: Request,
  bindings: Bindings,
  executionCtx: ExecutionContext,
  params: Params,
) => Response | Promise<Response>;

/** The whole HTTP surface. */
export async function serve(
  request: Request,
  bindings: Bindings,
  executionCtx: ExecutionContext,
): Promise<Response> {
  const [find, params] = route(getPath(request));
  return (await find())(request, bindings, executionCtx, params);
}

/**
 * The target of a path, and its parameters as they were sent. Nearly all requests are for a path whose parameters are ids, which is found by
 * its form; no other path could match it as well, because no concrete segment is an id.
 */
export function route(path: string): [find: () => Promise<Serve>, params: Params] {
  const ids = path.match(idsInPath) ?? [];
  const formed = byForm.get(ids.length === 0 ? path : path.replaceAll(idsInPath, anyId));
  if (formed && formed.names.length === ids.length) {
    const { find, names } = formed;
    return [find, Object.fromEntries(names.map((name, nth) => [name, ids[nth] ?? ""]))];
  }
  const [[found]] = finders().match("ALL", path);
  return found ? [found[0], found[1] as Params] : [unknown, {}];
}

/** Runs an operation beside its account's data; undefined where this deployment does not have it. */
export async function run(
  call: ForwardedCall,
  bindings: Bindings,
  executionCtx: ExecutionContext,
): Promise<Ran | undefined> {
  const { path, method } = call.operation;
  const served = await paths.get(path)?.();
  const operation = served?.byMethod.get(method.toUpperCase());
  return operation && runOperation(operation, call, around(bindings, executionCtx));
}

/**
 * The operations of each path of the API. They are loaded and opened by the first request for one, so that start-up and first requests
 * do not pay for the schemas and validators of all paths.
 */
export const paths = new Map(
  [...areasByPath()].map(([path, its]) => [path, once(() => loadPath(path, its))]),
);

const idsInPath = /(?<=\/)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=\/|$)/g;
const anyId = "{}";
const byForm = new Map<string, { find: () => Promise<Serve>; names: string[] }>();

const finds = [...paths].map(([path, load]) => ({ path, find: once(async () => servedBy(await load())) }));
for (const { path, find } of finds)
  byForm.set(withParameters(path, anyId), { find, names: parameterNamesOf(path) });

/**
 * Finds the others. It is made when a request first needs it: sorting the paths is a third of what a start would execute. Hono's default router
 * would compile all paths and then fall back to this one.
 */
const finders = once(() => {
  const router = new TrieRouter<() => Promise<Serve>>();
  for (const { path, find } of finds.toSorted((a, b) => bySpecificity(a.path, b.path)))
    router.add("ALL", honoPath(path), find);
  const others: [() => Promise<Serve>, string[]][] = [
    [once(installation), installing.flatMap(({ paths: { start, finish } }) => [start, finish])],
    [once(operators), ["/internal/*", "/metrics"]],
    [once(exportParts), ["/exports/*"]],
    [once(pages), ["/", "/portal/*", "/demo/*"]],
    [once(consolePages), ["/console/*"]],
    [once(llms), ["/llms.txt"]],
  ];
  for (const [find, patterns] of others) for (const pattern of patterns) router.add("ALL", pattern, find);
  return router;
});

/** The areas that have operations on each path. */
function areasByPath(): [string, Area[]][] {
  const named = areas.flatMap((area) => area.paths.map((path) => ({ path, area })));
  return [...Map.groupBy(named, ({ path }) => path)].map(([path, group]) => [
    path,
    group.map(({ area }) => area),
  ]);
}

async function loadPath(path: string, its: Area[]): Promise<ServedPath> {
  const loaded = await Promise.all(its.map(({ load }) => load()));
  const operations = loaded.flat().filter((operation) => operation.path === path);
  return openPath(operations, [publicCors[path] ?? []].flat());
}

function servedBy(path: ServedPath): Serve {
  return (request, bindings, executionCtx, params) =>
    servePath(path, request, params, around(bindings, executionCtx));
}

function servedByHono<E extends HonoEnv>(app: Hono<E>): Serve {
  return (request, bindings, executionCtx) => app.fetch(request, bindings, executionCtx);
}

/** Answers 404, with the path of the API that was probably meant. */
const unknown = once(async () => {
  const others = [...paths.keys()].filter((path) => path.startsWith("/api/"));
  return servedBy({ ...openPath([]), others });
});

function around(bindings: Bindings, executionCtx: ExecutionContext): Around {
  return {
    bindings,
    executionCtx,
    async dispatch({ path }, request) {
      const served = await paths.get(path)!();
      const params = paramsIn(path, getPath(request));
      return servePath(served, fromWithin(request), params, around(bindings, executionCtx));
    },
  };
}

/** Pages are served within these, as operations are within the same in a line. */
const aroundPages: MiddlewareHandler<HonoEnv>[] = [
  async (c, next) => {
    await next();
    completeHeaders(c, true);
  },
  async (c, next) => {
    beginRequest(c);
    await next();
    endRequest(c);
  },
  async (c, next) => {
    requireLocalHost(c);
    c.set("dispatch", around(c.env, c.executionCtx as ExecutionContext).dispatch);
    await next();
  },
];

/** The pages by which a merchant installs the app at their store. */
async function installation(): Promise<Serve> {
  const { serveInstallation } = await import("../edges/installation/routes.ts");
  return servedByHono(serveInstallation(new Hono<HonoEnv>().use(...aroundPages)));
}

/** The paths of the operators' door. */
async function operators(): Promise<Serve> {
  const { serveOperators } = await import("../edges/operator/door.ts");
  return servedByHono(serveOperators(new Hono<HonoEnv>().use(...aroundPages)));
}

/** The addresses that the parts of exports are read from. */
async function exportParts(): Promise<Serve> {
  const { serveExportParts } = await import("../domain/exports/serve-parts.ts");
  return servedByHono(serveExportParts(new Hono<HonoEnv>().use(...aroundPages)));
}

/** The pages of the portal, the deployment's first page, and the demo store's doors of a local server. */
async function pages(): Promise<Serve> {
  const { servePages } = await import("../edges/portal/pages/routes.ts");
  return servedByHono(servePages(new Hono<PageEnv>().use(...aroundPages), await allOperations()));
}

/** The deployment as language models read of it. */
async function llms(): Promise<Serve> {
  const { serveLlms } = await import("../edges/docs/llms.ts");
  return servedByHono(serveLlms(new Hono<HonoEnv>().use(...aroundPages), apiDocument));
}

/** The pages of the merchant's staff. */
async function consolePages(): Promise<Serve> {
  const { serveConsole } = await import("../edges/console/pages/routes.ts");
  return servedByHono(serveConsole(new Hono<ConsoleEnv>().use(...aroundPages), await allOperations()));
}
