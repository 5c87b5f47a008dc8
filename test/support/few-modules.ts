import type { PoolRunnerInitializer, PoolWorker, Vite, WorkerRequest } from "vitest/node";

/**
 * Before each file Vitest offers a runner every module that the file may import, which spares a new process that asks for each. Files
 * on the Worker share a runner that has nearly all of them, and here all their text is sent each time: a second of a file's time. So
 * nothing is offered, and the runner asks for what it lacks.
 */
export function fewModules(): Vite.Plugin {
  return {
    name: "few-modules",
    configureVitest({ project: { config } }) {
      const pool: PoolRunnerInitializer | undefined = config.poolRunner;
      if (!pool) throw new Error("The plugin of the pool comes first");
      config.poolRunner = {
        name: pool.name,
        createPoolWorker: (options) => withoutOffers(pool.createPoolWorker(options)),
      };
    },
  };
}

function withoutOffers(worker: PoolWorker): PoolWorker {
  const on = worker.on.bind(worker);
  worker.on = (event, hear) =>
    on(event, (message: Call) => {
      if (message?.t !== "q" || message.m !== "fetchWarmModules") return hear(message);
      const none: unknown = { t: "s", i: message.i, r: {} };
      worker.send(none as WorkerRequest);
    });
  return worker;
}

/** A runner's request to Vitest, as birpc words it. */
type Call = { t: "q"; m: string; i: string };
