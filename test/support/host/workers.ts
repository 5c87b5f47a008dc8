/** The bindings of the tests within Node: the project `host` has this in the place of "cloudflare:workers". */
import { readFileSync } from "node:fs";
import { digestAtOnce } from "../../../src/host/digest.ts";
import { openLimiter } from "../../../src/host/limiter.ts";
import { openMemory } from "./database.ts";
import { HostObjects } from "./objects.ts";

export { DurableObject } from "../../../src/host/runtime.ts";

digestAtOnce();

const objects: HostObjects = new HostObjects(() => env);

const queue = {
  send: async () => {},
  sendBatch: async () => {},
  metrics: async () => ({ backlogCount: 0, backlogBytes: 0 }),
};

/** A limit that no test reaches. */
const seldom = openLimiter(100_000);

export const env = {
  ...JSON.parse(readFileSync(process.env.TEST_BINDINGS as string, "utf8")),
  ...{ DB: openMemory(), ACCOUNTS: objects, JOBS: queue, EVENTS: queue },
  TEST_ENGINE: process.env.TEST_ENGINE,
  ...{ KEY_LIMITER: seldom, TOKENS_LIMITER: seldom, ADDRESS_LIMITER: seldom, SETUPS_LIMITER: seldom },
  TEST_LIMITER: openLimiter(5),
  ASSETS: { fetch: async (url: string) => new Response(readFileSync(`public${new URL(url).pathname}`)) },
};

/** The Worker imports this file. */
export const exports = {
  default: { fetch: async (request: Request) => (await import("../fetch-worker.ts")).fetchWorker(request) },
};
