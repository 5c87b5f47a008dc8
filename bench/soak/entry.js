// Stands around the Worker under the soak: limits let through, /tick is the cron trigger, /queued what waits in the queues.
import worker from "./worker.js";

export { AccountObject } from "./worker.js";

const limiter = { limit: async () => ({ success: true }) };
let bindings;
const bound = (env) => {
  const limiters = { KEY_LIMITER: limiter, TOKENS_LIMITER: limiter, ADDRESS_LIMITER: limiter };
  bindings ??= { ...env, ...limiters, SETUPS_LIMITER: limiter };
  return bindings;
};

export default {
  async fetch(request, env, ctx) {
    if (!request.url.endsWith("/tick")) return worker.fetch(request, bound(env), ctx);
    await worker.scheduled({ scheduledTime: Date.now() }, bound(env), ctx);
    return new Response("ticked");
  },
  queue: (batch, env, ctx) => worker.queue(batch, bound(env), ctx),
};
