// Makes records in a thread of its own, while the main thread stores those before.
import { workerData } from "node:worker_threads";
import { type Job, type Produced, produced, taken } from "./produced.ts";
import { type Piece, recordPieces } from "./records.ts";

const { extent, now, size, port, counters } = workerData as Job;
/** Pieces that may wait to be stored. */
const most = 8;

try {
  for (const piece of recordPieces(extent, now, size)) post({ piece: flattened(piece) });
  post({ isEnd: true });
} catch (error) {
  post({ error: String(error) });
}

function post(message: Produced): void {
  for (;;) {
    const done = Atomics.load(counters, taken);
    if (Atomics.load(counters, produced) - done < most) break;
    Atomics.wait(counters, taken, done);
  }
  port.postMessage(message);
  Atomics.add(counters, produced, 1);
  Atomics.notify(counters, produced);
}

function flattened({ count, rows, ordersWithHistory }: Piece) {
  const tables = rows
    .filter(([, its]) => its.length > 0)
    .map(([table, its]) => {
      const columns = Object.keys(its[0] ?? {});
      return { table, columns, values: its.map((row) => columns.map((column) => row[column] ?? null)) };
    });
  return { count, tables, ...(ordersWithHistory ? { ordersWithHistory } : {}) };
}
