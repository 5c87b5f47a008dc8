/** The bindings of the tests within Node: the project `host` has this in the place of "cloudflare:workers". */
import { timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { HostDatabase } from "./database.ts";
import { HostObjects } from "./objects.ts";

const objects: HostObjects = new HostObjects(() => env);

const queue = {
  send: async () => {},
  sendBatch: async () => {},
  metrics: async () => ({ backlogCount: 0, backlogBytes: 0 }),
};

/** So many calls of a key in each minute, as it begins with the first of them. */
function limiter(limit: number) {
  let counted = { until: 0, calls: new Map<string, number>() };
  return {
    async limit({ key }: { key: string }) {
      if (performance.now() >= counted.until)
        counted = { until: performance.now() + 60_000, calls: new Map() };
      const calls = (counted.calls.get(key) ?? 0) + 1;
      counted.calls.set(key, calls);
      return { success: calls <= limit };
    },
  };
}

const seldom = limiter(100_000);

export const env = {
  ...JSON.parse(readFileSync(process.env.TEST_BINDINGS as string, "utf8")),
  ...{ DB: new HostDatabase(), ACCOUNTS: objects, JOBS: queue, EVENTS: queue },
  ...{ KEY_LIMITER: seldom, TOKENS_LIMITER: seldom, ADDRESS_LIMITER: seldom, SETUPS_LIMITER: seldom },
  TEST_LIMITER: limiter(5),
  ASSETS: { fetch: async () => new Response(null, { status: 404 }) },
};

/** The Worker imports this file. */
export const exports = {
  default: { fetch: async (request: Request) => (await import("../fetch-worker.ts")).fetchWorker(request) },
};

export class DurableObject {
  readonly ctx: unknown;
  readonly env: unknown;

  constructor(ctx: unknown, bindings: unknown) {
    this.ctx = ctx;
    this.env = bindings;
  }
}

Object.assign(crypto.subtle, {
  timingSafeEqual: (one: BufferSource, other: BufferSource) =>
    timingSafeEqual(new Uint8Array(one as ArrayBuffer), new Uint8Array(other as ArrayBuffer)),
});
Object.assign(globalThis, {
  caches: { default: { match: async () => undefined, put: async () => {}, delete: async () => false } },
});
