import type { Batch, Result } from "./batch.ts";
import { runInThread } from "./in-thread.ts";

/** Runs schedules side by side, in a thread for each worker. One worker needs no thread of its own. */
export function runSchedules(
  { requiresSame = false, ...batch }: Omit<Batch, "nth" | "of">,
  workers: number,
  ran: () => void,
): Promise<Result[]> {
  const parts = Array.from({ length: workers }, (_, nth) => ({
    ...batch,
    nth,
    of: workers,
    requiresSame: requiresSame && nth === 0,
  }));
  return Promise.all(parts.map((part) => runPart(part, ran)));
}

async function runPart(batch: Batch, ran: () => void): Promise<Result> {
  if (batch.of > 1) return runInThread({ batch }, { ran }) as Promise<Result>;
  const { runBatch } = await import("./batch.ts");
  return runBatch(batch, ran);
}
