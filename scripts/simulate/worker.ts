import { enableCompileCache } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import { root } from "../paths.ts";
import type { Batch, Message } from "./batch.ts";
import { type SeededFiles, seedFiles } from "./seeded-files.ts";

/** The work of a thread: its batch, and the texts of files in which a bug is seeded. */
export type Work = { batch: Batch; files?: SeededFiles };

/** Each thread loads all modules anew. */
enableCompileCache(`${root}.simulate/cache`);

function post(message: Message): void {
  parentPort?.postMessage(message);
}
const { batch, files } = workerData as Work;
if (files) seedFiles(files);
const { runBatch } = await import("./batch.ts");

/** Each schedule is told, for the progress; the result ends it. */
post(await runBatch(batch, () => post("ran")));
