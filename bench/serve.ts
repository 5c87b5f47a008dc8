import { readFileSync } from "node:fs";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { root } from "../scripts/paths.ts";
import { ask } from "./ask.ts";
import { modulesOf, type Script } from "./build.ts";
import type { Asked } from "./cases.ts";
import { persisted, seededFile } from "./database.ts";

export type Served = {
  address: string;
  /** From nothing to the first answer. */
  startMs: number;
  /** The runtime's process; undefined where there is no /proc. */
  pid: number | undefined;
  /** Where its isolate can be inspected; undefined unless the settings have an inspector's port. */
  inspector: string | undefined;
  /** The file of its database; undefined where that is empty. */
  file: string | undefined;
  stop: () => Promise<void>;
};

export type Options = {
  script: Script;
  /** How many subscriptions its database has, which is a copy of its own; without one, it is empty. */
  subscriptions?: number;
  /** A folder that has its data already, and keeps it. */
  folder?: string;
  /** Whether it has the objects of accounts. */
  objects?: boolean;
  cache?: boolean;
  bindings?: Record<string, string>;
  /** Gets each line of the log. */
  onLine?: (text: string) => void;
  /** The script around the Worker, and the other settings of the runtime. */
  entry?: string;
  settings?: Record<string, unknown>;
  /** The first request, whose answer says that the Worker has started. */
  first?: Asked;
};

/** Runs a Worker from its script, on a database of its own. */
export async function serve({
  script,
  subscriptions,
  folder,
  objects = false,
  cache = false,
  bindings = {},
  onLine = () => undefined,
  entry = objects ? "bench/entry-objects.js" : "bench/entry.js",
  settings = {},
  first = { method: "GET", path: "/.well-known/jwks.json", headers: {} },
}: Options): Promise<Served> {
  const database = subscriptions ? persisted(await seededFile(subscriptions), "bench") : undefined;
  const persists = database?.folder ?? folder;
  const module = (name: string) => ({
    type: "ESModule" as const,
    path: `/${name}`,
    contents: readFileSync(`${root}bench/${name}`, "utf8"),
  });
  const before = children();
  const started = performance.now();
  const miniflare = new Miniflare({
    ...convertV4MiniflareOptions({
      modulesRoot: "/",
      modules: [
        { type: "ESModule", path: "/main.js", contents: readFileSync(root + entry, "utf8") },
        ...modulesOf(script),
        ...["entry.js", "memory.js", "stubs.js"].map(module),
      ],
      compatibilityDate: "2026-11-01",
      compatibilityFlags: ["nodejs_compat", "global_fetch_strictly_public", "new_module_registry"],
      host: "127.0.0.1",
      cf: false,
      cache,
      handleStructuredLogs: ({ message }) => onLine(String(message)),
      d1Databases: { DB: "bench" },
      bindings: { ENVIRONMENT: "bench", PUBLIC_URL: "http://127.0.0.1", ...bindings },
      serviceBindings: assets,
      ...(objects ? ofObjects : {}),
      ...settings,
    }),
    ...(persists ? { resourcePersistencePath: persists } : {}),
  });
  const address = (await miniflare.ready).origin;
  await ask(address, first);
  const startMs = performance.now() - started;
  return {
    address,
    startMs,
    pid: children().find((child) => !before.includes(child)),
    inspector: "inspectorPort" in settings ? `${await miniflare.getInspectorURL()}core:user:` : undefined,
    file: database?.file,
    stop: async () => {
      await miniflare.dispose();
      database?.remove();
    },
  };
}

/** The assets that were made with the script: the API's document, and the schema of objects. */
const assets = {
  ASSETS: ({ url }: { url: string }) =>
    new Response(readFileSync(`${root}build/public${new URL(url).pathname}`)),
};

/** The objects of accounts have a class. */
const ofObjects = { durableObjects: { ACCOUNTS: { className: "AccountObject", useSQLite: true } } };

function children(): number[] {
  try {
    const found = readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").trim();
    return found.split(" ").map(Number);
  } catch {
    return [];
  }
}
