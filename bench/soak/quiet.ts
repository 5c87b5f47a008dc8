import { setTimeout as wait } from "node:timers/promises";
import { moveOn } from "./clock.ts";
import { type Books, readBooks } from "./ledger.ts";
import type { State } from "./load.ts";

/**
 * The books once nothing is under way, or as they are when what is under way has not become less for too long. Mails wait by the account's
 * clock for further changes, so that it goes on. `tick` is the cron trigger of a runtime that has none of its own.
 */
export async function quietBooks(
  file: string,
  state: State,
  tick: () => Promise<void> = async () => undefined,
): Promise<Books> {
  let [least, since, ticked] = [Number.POSITIVE_INFINITY, Date.now(), 0];
  for (;;) {
    const read = readBooks(file);
    const left = read.faults.reduce((sum, { count }) => sum + count, 0);
    if (left < least) [least, since] = [left, Date.now()];
    if (left === 0 || Date.now() - since > mostQuietSeconds * 1000) return read;
    if (Date.now() - ticked > 10_000) {
      ticked = Date.now();
      await tick();
      await moveOn(state.address, state, changesJoinedMs);
    }
    await wait(2000);
  }
}

const mostQuietSeconds = 400;
/** Longer than mails wait for further changes. */
const changesJoinedMs = 10 * 60_000;
