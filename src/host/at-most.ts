import { setTimeout as wait } from "node:timers/promises";

/** Waits for work that is to end, so long at most. */
export async function atMost(ms: number, ...work: (Promise<unknown> | undefined)[]): Promise<void> {
  await Promise.race([Promise.all(work), wait(ms, undefined, { ref: false })]);
}
