import { setTimeout as wait } from "node:timers/promises";
import { type Found, openDemo } from "./demo.ts";

/** The process is ended by kill -9 so often, at random moments under load. */
export async function drillKills(program: string, kills: number): Promise<Found> {
  const demo = await openDemo(program);
  const { machine, work, state } = demo;
  const unexpected = await work(async () => {
    for (let killed = 0; killed < kills; killed++) {
      await wait(300 + state.random() * 2_000);
      await machine.end("SIGKILL");
      await machine.start();
    }
  }, true);
  const { figures, faults } = await demo.close();
  return { figures: `${kills} kills, ${figures}`, faults: [...unexpected, ...faults] };
}
