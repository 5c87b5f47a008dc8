import { readFileSync } from "node:fs";
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
        createPoolWorker: (options) => withSmallMaps(withoutOffers(pool.createPoolWorker(options))),
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

/**
 * Two thirds of a module's text are its source map. The runner tells by it where an error is; for that it needs no text of the sources,
 * and no map of a package.
 */
function withSmallMaps(worker: PoolWorker): PoolWorker {
  const send = worker.send.bind(worker);
  worker.send = (message) => {
    const { r: module, ...answer } = message as unknown as Answer;
    if (!module?.file || (!module.tmp && !module.code)) return send(message);
    const { cached, tmp, ...rest } = module;
    const code =
      module.code === undefined ? smallFile(module.file, tmp as string) : small(module.file, module.code);
    const slim: unknown = { ...answer, r: { ...rest, code } };
    return send(slim as WorkerRequest);
  };
  return worker;
}

/** The text of a file in Vitest's cache, which is sent to each runner. */
function smallFile(file: string, tmp: string): string {
  const text = sent.get(tmp) ?? small(file, readFileSync(tmp, "utf8"));
  sent.set(tmp, text);
  return text;
}

const sent = new Map<string, string>();

function small(file: string, text: string): string {
  const at = text.lastIndexOf(beforeMap);
  if (at < 0) return text;
  const code = text.slice(0, at);
  if (file.includes("/node_modules/")) return code;
  const [encoded = ""] = text.slice(at + beforeMap.length).split("\n");
  const { sourcesContent, ...map } = JSON.parse(Buffer.from(encoded, "base64").toString());
  return `${code}${beforeMap}${Buffer.from(JSON.stringify(map)).toString("base64")}\n`;
}

const beforeMap = "\n//# sourceMappingURL=data:application/json;base64,";

/** A runner's request to Vitest, as birpc words it. */
type Call = { t: "q"; m: string; i: string };

/** An answer to it, of a module's text or of the file that has it. */
type Answer = { t: "s"; i: string; r?: { file?: string; code?: string; cached?: true; tmp?: string } };
