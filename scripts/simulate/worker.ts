import { parentPort, workerData } from "node:worker_threads";
import { type Batch, runBatch } from "./batch.ts";

parentPort?.postMessage(await runBatch(workerData as Batch));
