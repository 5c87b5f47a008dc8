import { parentPort, workerData } from "node:worker_threads";
import { type Batch, type Message, runBatch } from "./batch.ts";

const post = (message: Message): void => parentPort?.postMessage(message);

/** Each schedule is told, for the progress; the result ends it. */
post(await runBatch(workerData as Batch, () => post("ran")));
