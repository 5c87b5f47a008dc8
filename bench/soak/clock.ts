import { setTimeout as wait } from "node:timers/promises";
import { send } from "./clients.ts";
import type { State } from "./load.ts";

/** Moves the account's clock day by day until the time is over, and waits for what falls due on the way. Returns how many days. */
export async function moveClock(address: string, until: number, state: State): Promise<number> {
  const path = "/api/account/test-clock";
  const headers = { ...state.caller.key, "Content-Type": "application/json" };
  const read = async (): Promise<Clock> => {
    const { text } = await send(address, { method: "GET", path, headers: state.caller.key });
    return (JSON.parse(text) as { data: Clock }).data;
  };
  let days = 0;
  for (let clock = await read(); Date.now() < until; days++) {
    const advance_to = new Date(Date.parse(clock.now) + dayMs).toISOString();
    await send(address, { method: "POST", path, headers, body: JSON.stringify({ advance_to }) });
    do {
      await wait(200);
      clock = await read();
    } while (clock.advancing && Date.now() < until);
    state.today = clock.now;
    await wait(500);
  }
  return days;
}

const dayMs = 86_400_000;
type Clock = { now: string; advancing: boolean };
