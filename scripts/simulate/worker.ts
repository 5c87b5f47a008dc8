import { enableCompileCache } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import { root } from "../paths.ts";
import type { Batch, Message } from "./batch.ts";
import { dropFromSchema } from "./schema.ts";
import { makeReplaceable, replaceExports } from "./seeding.ts";

/** The work of a thread: its batch, and the name of the bug that is seeded in it. */
export type Work = { batch: Batch; bug?: string };

/** Each thread loads all modules anew. */
enableCompileCache(`${root}.simulate/cache`);

function post(message: Message): void {
  parentPort?.postMessage(message);
}
const { batch, bug } = workerData as Work;
if (bug !== undefined) await seed(bug);
const { runBatch } = await import("./batch.ts");

/** Each schedule is told, for the progress; the result ends it. */
post(await runBatch(batch, () => post("ran")));

async function seed(name: string): Promise<void> {
  makeReplaceable();
  await import("./raw.ts");
  const { seededBugs } = await import("../../simulator/bugs.ts");
  const { replaces = [], drops = [] } = seededBugs.find((one) => one.name === name)!;
  dropFromSchema(drops);
  replaceExports(replaces);
}
