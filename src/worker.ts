import { app } from "./app.ts";
import { openDb } from "./db/client.ts";
import { type Bindings, parseEnv } from "./env.ts";
import { pruneIdempotencyKeys } from "./http/idempotency.ts";
import { consume } from "./jobs.ts";

export default {
  fetch: app.fetch,
  queue: consume,
  async scheduled({ scheduledTime }, bindings) {
    await pruneIdempotencyKeys(openDb(parseEnv(bindings)), new Date(scheduledTime));
  },
} satisfies ExportedHandler<Bindings>;
