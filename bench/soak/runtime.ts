import { randomBytes } from "node:crypto";
import { buildScript } from "../build.ts";
import { signingKey } from "../requests.ts";
import { type Options, type Served, serve } from "../serve.ts";

/** The demo store with so many subscriptions in the local runtime of the edge, with its queues. /tick is its cron trigger. */
export async function openRuntime(
  subscriptions: number,
  { bindings, settings, ...options }: Partial<Options> = {},
): Promise<Served> {
  const consumer = { maxBatchTimeout: 1, maxRetries: 10, retryDelay: 2 };
  return serve({
    ...{ script: buildScript(), subscriptions, cache: true, entry: "bench/soak/entry.js", ...options },
    bindings: {
      ...{ ENVIRONMENT: "local", TEST_CLOCKS: "on", JWT_PRIVATE_JWK: await signingKey() },
      STORE_CREDENTIALS_KEY: randomBytes(32).toString("base64"),
      ...bindings,
    },
    settings: {
      queueProducers: { JOBS: "jobs", EVENTS: "events" },
      queueConsumers: {
        jobs: { ...consumer, maxBatchSize: 10 },
        events: { ...consumer, maxBatchSize: 1, maxBatchTimeout: 0 },
      },
      ...settings,
    },
  });
}
