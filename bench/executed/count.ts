// Run with the path of a built Worker and that of a database of the demo store: prints what each request executes, as JSON.
import { readFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";
import { root } from "../../scripts/paths.ts";
import { casesFor, keyOnly } from "../cases.ts";
import { charactersExecuted } from "./characters.ts";
import type { Executed } from "./executed.ts";
import { bindingsOn } from "./platform.ts";

const [script = "", file = "", now = ""] = process.argv.slice(2);
/** Between one of these requests and the next no time passes, and no day begins between one run and the next. */
const nowMs = Date.parse(now);
globalThis.Date = class extends Date {
  constructor(...values: [] | [string | number | Date]) {
    super(...((values.length === 0 ? [nowMs] : values) as [number]));
  }
  static override now = () => nowMs;
} as DateConstructor;
/** Nothing but the figures is printed. */
console.log = () => undefined;

/** The files that were made with the script. */
const ASSETS = {
  fetch: async (url: string) => new Response(readFileSync(`${root}build/public${new URL(url).pathname}`)),
};
Object.assign(globalThis, { runtimeEnv: { ASSETS } });
/** The runtime's modules, of which these requests use only the files. */
const runtimeModules =
  "export class DurableObject {}; export const env = runtimeEnv; export const connect = () => {};";
registerHooks({
  resolve: (specifier, context, next) =>
    specifier.startsWith("cloudflare:")
      ? { url: `data:text/javascript,${encodeURIComponent(runtimeModules)}`, shortCircuit: true }
      : next(specifier, context),
});

let jsonCharacters = 0;
const { parse, stringify } = JSON;
JSON.parse = (text: string, ...more: []) => {
  jsonCharacters += text.length;
  return parse(text, ...more);
};
JSON.stringify = (value: unknown, ...more: []) => {
  const text = stringify(value, ...more);
  jsonCharacters += text?.length ?? 0;
  return text;
};

const url = pathToFileURL(script).href;
const folder = new URL(".", url).href;
const { default: worker } = (await import(url)) as { default: { fetch: Fetch } };
type Fetch = (request: Request, bindings: object, executionCtx: object) => Promise<Response>;
const bindings = bindingsOn(file);
const pending: Promise<unknown>[] = [];
const executionCtx = {
  waitUntil: (work: Promise<unknown>) => pending.push(work),
  passThroughOnException() {},
};

const callsOfEach = 4;
const hot = new Set([
  ...["skip reasons", "list of 25 subscriptions, with total", "get a subscription"],
  ...["create", "skip", "ship-now, the request"],
]);

const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });

const counted: Record<string, Executed> = {};
for (const { name, request } of casesFor(callsOfEach).filter(({ name }) => hot.has(name))) {
  /** The last counts: those before have made schemas and statements, and filled caches. */
  for (let nth = 0; nth < callsOfEach; nth++) {
    await session.post("Profiler.takePreciseCoverage");
    jsonCharacters = 0;
    const { method, path, headers, body } = request(nth, keyOnly);
    const response = await worker.fetch(
      new Request(`http://127.0.0.1${path}`, { method, headers, ...(body === undefined ? {} : { body }) }),
      bindings,
      executionCtx,
    );
    await response.text();
    await Promise.all(pending.splice(0));
    if (!response.ok) throw new Error(`${name} is answered with ${response.status}`);
    const json = jsonCharacters;
    const { result } = await session.post("Profiler.takePreciseCoverage");
    const its = result.filter((each) => each.url.startsWith(folder));
    const code = its.reduce((sum, { functions }) => sum + charactersExecuted(functions), 0);
    counted[name] = { code, json };
  }
}
process.stdout.write(`${stringify(counted)}\n`);
process.exit(0);
