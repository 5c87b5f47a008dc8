/**
 * Node itself loads the modules of the tests within it: Vite's way takes a fifth of their time. Here it is led to the modules that they have in
 * the place of the runtime's. A path of the project is taken as it stands, without a search for the package that it belongs to.
 */
import module, { type RegisterHooksOptions } from "node:module";
import "../../../scripts/simulate/raw.ts";
import { childEnv } from "../child-env.ts";

/** The modules that one process has compiled need not be compiled by the others. */
module.enableCompileCache(childEnv.NODE_COMPILE_CACHE);

const root = new URL("../../../", import.meta.url).href;

const modules: Record<string, string> = {
  "cloudflare:workers": `${root}test/support/host/workers.ts`,
  "cloudflare:test": `${root}test/support/host/invocations.ts`,
  "cloudflare:sockets": `${root}src/host/network/sockets.ts`,
};

const hooks: RegisterHooksOptions = {
  resolve(specifier, context, next) {
    const url = modules[specifier] ?? urlOf(specifier, context.parentURL);
    if (url === undefined) return ofPackage(specifier, context.parentURL, () => next(specifier, context));
    return { url, format: url.endsWith(".ts") ? "module-typescript" : "module", shortCircuit: true };
  },
};

/** A module of a package is the same one for all of the project's own: Node would read the package's lists again for each. */
function ofPackage<T extends { url: string }>(
  specifier: string,
  parent: string | undefined,
  find: () => T,
): T {
  const isOurs = parent?.startsWith(root) && !parent.includes("/node_modules/");
  if (!isOurs || /^[./#]|:/.test(specifier)) return find();
  const known = found.get(specifier) as T | undefined;
  const its = known ?? { ...find(), shortCircuit: true };
  found.set(specifier, its);
  return its;
}

const found = new Map<string, object>();

const { registerHooks } = module;
registerHooks(hooks);

/**
 * Vitest's own hook sends a message for every import, those of a running test too, so that it can watch the files. Where nothing is watched,
 * these hooks come before it, being registered once more after it.
 */
if (process.env.VITEST_MODE === "RUN")
  module.registerHooks = (later) => {
    const registered = registerHooks(later);
    registerHooks(hooks);
    return registered;
  };

/** The storage port of objects, as src/base/db/client.ts imports it, has tests around its batches where accounts have objects. */
const watchedObject = `${root}test/support/watched-object.ts`;

function urlOf(specifier: string, parent?: string): string | undefined {
  if (!/^\.\.?\/.*\.(ts|js)$/.test(specifier) || !parent?.startsWith(root)) return undefined;
  if (specifier.endsWith(".js") && !withinDrizzle.test(parent)) return undefined;
  if (specifier === "./object.ts" && process.env.TEST_ENGINE === "object") return watchedObject;
  return new URL(specifier, parent).href;
}

/** Node would parse this package's list of exports, of 130 KB, for each import between its files. */
const withinDrizzle = /\/node_modules\/drizzle-orm\/.*\.js$/;
