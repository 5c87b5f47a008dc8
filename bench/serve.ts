import { readFileSync } from "node:fs";
import { readD1Migrations } from "@cloudflare/vitest-plugin";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { root } from "../scripts/paths.ts";
import { seed } from "../scripts/seed/index.ts";
import { d1Db } from "../src/db/client.ts";

export type Served = {
  address: string;
  /** From nothing to the first answer. */
  startMs: number;
  /** CPU time the runtime has used so far; undefined where there is no /proc. */
  cpuMs: () => number | undefined;
  stop: () => Promise<void>;
};

/**
 * The platform's rate limiter is simulated by a second Worker and a Durable Object, which would cost more than
 * everything that is to be measured; here it lets through.
 */
const entry = `
import worker from "./worker.js";
const limiter = { limit: async () => ({ success: true }) };
let bindings;
export default {
  fetch(request, env, ctx) {
    bindings ??= { ...env, KEY_LIMITER: limiter, TOKENS_LIMITER: limiter, ADDRESS_LIMITER: limiter };
    return worker.fetch(request, bindings, ctx);
  },
};`;

const children = (): string[] => {
  try {
    return readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").trim().split(" ");
  } catch {
    return [];
  }
};

const clockTickMs = 10;

const cpuOf = (pid: string): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const [, , ...fields] = stat.slice(stat.lastIndexOf(")")).split(" ");
  return (Number(fields[10]) + Number(fields[11])) * clockTickMs;
};

/** Runs a Worker from its script, on a database of its own with the demo store in it. `onLine` gets each line of its log. */
export const serve = async (
  script: string,
  cache: boolean,
  onLine: (text: string) => void = () => undefined,
): Promise<Served> => {
  const before = children();
  const started = performance.now();
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modulesRoot: "/",
      modules: [
        { type: "ESModule", path: "/entry.js", contents: entry },
        { type: "ESModule", path: "/worker.js", contents: script },
      ],
      compatibilityDate: "2026-11-01",
      compatibilityFlags: ["nodejs_compat"],
      host: "127.0.0.1",
      cf: false,
      cache,
      handleStructuredLogs: ({ message }) => onLine(String(message)),
      d1Databases: { DB: "bench" },
      queueProducers: { JOBS: "bench" },
      bindings: { ENVIRONMENT: "bench" },
    }),
  );
  const address = (await miniflare.ready).origin;
  await (await fetch(`${address}/.well-known/jwks.json`)).text();
  const startMs = performance.now() - started;
  const pid = children().find((child) => !before.includes(child));
  const database = await miniflare.getD1Database("DB");
  for (const { queries } of await readD1Migrations(`${root}migrations`))
    for (const query of queries) await database.prepare(query).run();
  await seed(d1Db(database as unknown as D1Database), new Date());
  return {
    address,
    startMs,
    cpuMs: () => (pid === undefined ? undefined : cpuOf(pid)),
    stop: () => miniflare.dispose(),
  };
};
