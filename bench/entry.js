// Stands around every Worker that the bench runs. The platform's rate limiter and queues are simulated by other Workers and
// Durable Objects, which would cost more than what is to be measured: here they take whatever comes. At /statements it tells what a
// request has asked of the database.
import worker from "./worker.js";

const limiter = { limit: async () => ({ success: true }) };
const queue = { send: async () => undefined, sendBatch: async () => undefined };

let recorded = [];
const recording = (db) => {
  const wrap = (sql, params, inner) => ({
    sql,
    params,
    inner,
    bind: (...values) => wrap(sql, values, inner.bind(...values)),
    run: () => {
      recorded.push([{ sql, params }]);
      return inner.run();
    },
  });
  return {
    prepare: (sql) => wrap(sql, [], db.prepare(sql)),
    batch: (statements) => {
      recorded.push(statements.map(({ sql, params }) => ({ sql, params })));
      return db.batch(statements.map(({ inner }) => inner));
    },
  };
};

let bindings;
export default {
  fetch(request, env, ctx) {
    bindings ??= {
      ...env,
      ...(env.RECORDS ? { DB: recording(env.DB) } : {}),
      ...{
        KEY_LIMITER: limiter,
        TOKENS_LIMITER: limiter,
        ADDRESS_LIMITER: limiter,
        JOBS: queue,
        EVENTS: queue,
      },
    };
    if (request.method === "GET" && request.url.endsWith("/statements")) {
      const answer = Response.json(recorded);
      recorded = [];
      return answer;
    }
    return worker.fetch(request, bindings, ctx);
  },
};
