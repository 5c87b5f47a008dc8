// Stands around every Worker that the bench runs. At /statements it tells what a request has asked of the database. With
// REMEMBERS the database answers from memory.
import { remembering } from "./memory.js";
import { stubs } from "./stubs.js";
import worker from "./worker.js";

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
      ...(env.REMEMBERS ? { DB: remembering(env.DB) } : {}),
      ...stubs,
    };
    if (request.method === "GET" && request.url.endsWith("/statements")) {
      const answer = Response.json(recorded);
      recorded = [];
      return answer;
    }
    return worker.fetch(request, bindings, ctx);
  },
};
