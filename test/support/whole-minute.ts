import { setTimeout as wait } from "node:timers/promises";

/** Longer than a test takes that counts requests, on a loaded machine. */
const neededMs = 4_000;

/** Waits for the next minute where this one ends soon: the limiter counts by the clock's minutes, and what spans two is counted in two. */
export async function wholeMinute(): Promise<void> {
  const leftMs = 60_000 - (Date.now() % 60_000);
  if (leftMs < neededMs) await wait(leftMs);
}
