// Runs the Worker's consumer for the bench: a POST is a batch, whose answer is what became of its messages and what was sent.
import worker from "./worker.js";

const isCharge = (sql) => /insert into "sandbox_charges"/i.test(sql);

/** The database, behind which the sandbox store takes a time of its own for each charge. */
const withStoreOf = (db, ms) => {
  const pause = () => new Promise((resolve) => setTimeout(resolve, ms));
  const wrap = (sql, inner) => ({
    sql,
    inner,
    bind: (...values) => wrap(sql, inner.bind(...values)),
    run: async () => {
      if (ms > 0 && isCharge(sql)) await pause();
      return inner.run();
    },
  });
  return {
    prepare: (sql) => wrap(sql, db.prepare(sql)),
    batch: async (statements) => {
      if (ms > 0 && statements.some(({ sql }) => isCharge(sql))) await pause();
      return db.batch(statements.map(({ inner }) => inner));
    },
  };
};

export default {
  async fetch(request, env) {
    if (request.method !== "POST") return new Response("ready");
    const { jobs, storeMs } = await request.json();
    const sent = [];
    const retried = [];
    const JOBS = { sendBatch: async (messages) => void sent.push(...[...messages].map(({ body }) => body)) };
    const messages = jobs.map((body, nth) => ({
      id: `message-${nth}`,
      attempts: 1,
      timestamp: new Date(),
      body,
      ack: () => undefined,
      retry: () => void retried.push(body),
    }));
    const bindings = { ...env, DB: withStoreOf(env.DB, storeMs), JOBS, EVENTS: JOBS };
    await worker.queue({ queue: "bench-jobs", messages }, bindings);
    return Response.json({ sent, retried });
  },
};
