/** The bindings of the tests within Node: the project `host` has this in the place of "cloudflare:workers". */
import { readFileSync } from "node:fs";
import { HostDatabase } from "./database.ts";
import { HostObjects } from "./objects.ts";
import { limiter, limiters } from "./runtime.ts";

export { DurableObject } from "./runtime.ts";

const objects: HostObjects = new HostObjects(() => env);

const queue = {
  send: async () => {},
  sendBatch: async () => {},
  metrics: async () => ({ backlogCount: 0, backlogBytes: 0 }),
};

export const env = {
  ...JSON.parse(readFileSync(process.env.TEST_BINDINGS as string, "utf8")),
  ...{ DB: new HostDatabase(), ACCOUNTS: objects, JOBS: queue, EVENTS: queue },
  ...limiters,
  TEST_LIMITER: limiter(5),
  ASSETS: { fetch: async () => new Response(null, { status: 404 }) },
};

/** The Worker imports this file. */
export const exports = {
  default: { fetch: async (request: Request) => (await import("../fetch-worker.ts")).fetchWorker(request) },
};
