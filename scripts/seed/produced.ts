import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";
import type { Value } from "../../src/base/db/port.ts";
import { root } from "../paths.ts";
import type { Extent, Range } from "./extent.ts";

export type TableRows = { table: string; columns: string[]; values: Value[][] };
export type FlatPiece = { count: number; tables: TableRows[]; ordersWithHistory?: Range };
export type Produced = { piece: FlatPiece } | { isEnd: true } | { error: string };
export type Job = { extent: Extent; now: Date; size: number; port: MessagePort; counters: Int32Array };

/** Places in `counters`: how many messages were posted, and how many were taken. */
export const [produced, taken] = [0, 1];

/** The pieces of `recordPieces`, made by another thread. This one waits for each, as it stores them without a pause. */
export function* producedPieces(extent: Extent, now: Date, size: number): Generator<FlatPiece> {
  const { port1: port, port2 } = new MessageChannel();
  const counters = new Int32Array(new SharedArrayBuffer(8));
  const job: Job = { extent, now, size, port: port2, counters };
  const worker = new Worker(`${root}scripts/seed/produce.ts`, {
    workerData: job,
    transferList: [port2],
  });
  try {
    for (let count = 1; ; count++) {
      const message = take(port, counters, count);
      if ("error" in message) throw new Error(message.error);
      if ("isEnd" in message) return;
      yield message.piece;
    }
  } finally {
    port.close();
    void worker.terminate();
  }
}

const mostWaitMs = 120_000;

function take(port: MessagePort, counters: Int32Array, count: number): Produced {
  const until = Date.now() + mostWaitMs;
  while (Atomics.load(counters, produced) < count) {
    Atomics.wait(counters, produced, count - 1, 1000);
    if (Date.now() > until) throw new Error("The thread that makes the records does not answer");
  }
  const message = receiveMessageOnPort(port)?.message as Produced;
  Atomics.add(counters, taken, 1);
  Atomics.notify(counters, taken);
  return message;
}
