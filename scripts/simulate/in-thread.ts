import { Worker } from "node:worker_threads";
import type { Message, Result } from "./batch.ts";
import type { Work } from "./worker.ts";

type Options = { ran?: () => void; timeoutMs?: number };

/** Runs a batch in a thread of its own. Undefined if it takes too long; the thread is then ended. */
export function runInThread(
  work: Work,
  { ran = () => {}, timeoutMs }: Options = {},
): Promise<Result | undefined> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(`${import.meta.dirname}/worker.ts`, { workerData: work });
    const giveUp = () => {
      resolve(undefined);
      worker.terminate();
    };
    const timer = timeoutMs === undefined ? undefined : setTimeout(giveUp, timeoutMs);
    const settle =
      <T>(end: (value: T) => void): ((value: T) => void) =>
      (value) => {
        clearTimeout(timer);
        end(value);
      };
    worker
      .on("message", (message: Message) => (message === "ran" ? ran() : settle(resolve)(message)))
      .on("error", settle(reject));
  });
}
