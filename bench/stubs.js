// The platform's rate limiter and queues are simulated locally by other Workers and Durable Objects, which would cost more than what is to
// be measured: here they take whatever comes.
const limiter = { limit: async () => ({ success: true }) };
const queue = { send: async () => undefined, sendBatch: async () => undefined };

export const stubs = {
  KEY_LIMITER: limiter,
  TOKENS_LIMITER: limiter,
  ADDRESS_LIMITER: limiter,
  SETUPS_LIMITER: limiter,
  JOBS: queue,
  EVENTS: queue,
};
