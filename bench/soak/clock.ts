import { setTimeout as wait } from "node:timers/promises";
import { sendUntilAnswered } from "./clients.ts";
import type { State } from "./load.ts";

/** Moves the account's clock day by day until it is over, and waits for what falls due on the way. Returns how many days. */
export async function moveClock(address: string, isOver: () => boolean, state: State): Promise<number> {
  let days = 0;
  for (; !isOver(); days++) {
    await moveOn(address, state, dayMs);
    let clock: Clock;
    do {
      await wait(200);
      clock = await readClock(address, state);
    } while (clock.advancing && !isOver());
    state.today = clock.now;
    await wait(500);
  }
  return days;
}

/** Has the account's clock go on by so much, unless it is on its way. */
export async function moveOn(address: string, state: State, ms: number): Promise<void> {
  const clock = await readClock(address, state);
  const headers = { ...state.caller.key, "Content-Type": "application/json" };
  const advance_to = new Date(Date.parse(clock.now) + ms).toISOString();
  await sendUntilAnswered(address, { method: "POST", path, headers, body: JSON.stringify({ advance_to }) });
}

async function readClock(address: string, { caller }: State): Promise<Clock> {
  const { text } = await sendUntilAnswered(address, { method: "GET", path, headers: caller.key });
  return (JSON.parse(text) as { data: Clock }).data;
}

const path = "/api/account/test-clock";
const dayMs = 86_400_000;
type Clock = { now: string; advancing: boolean };
