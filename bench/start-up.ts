import { buildScript, type Script } from "./build.ts";
import { median } from "./measure.ts";
import { cpuTime, type Meter } from "./meters.ts";
import { serve } from "./serve.ts";

export type StartUp = { name: string; spent: number; overBare: number };

/** The cost of starting the runtime until a Worker has answered its first request. */
export async function startUps(
  script: Script,
  starts: number,
  meter: Meter,
  done: () => void,
): Promise<StartUp[]> {
  const { sinceStart } = meterOfStarts(meter);
  const workers = {
    "bare Worker": buildScript(undefined, "bench/bare/worker.ts"),
    "Hono with zod-openapi, 11 routes": buildScript(undefined, "bench/eleven-routes.ts"),
    "this Worker": script,
  };
  const spent: Record<string, number[]> = {};
  for (let start = 0; start < starts; start++)
    for (const [name, its] of Object.entries(workers)) {
      const served = await serve({ script: its });
      spent[name] = [...(spent[name] ?? []), sinceStart(served.pid ?? 0)];
      await served.stop();
      done();
    }
  const bare = median(spent["bare Worker"] ?? []);
  return Object.entries(spent).map(([name, its]) => ({
    name,
    spent: median(its),
    overBare: median(its) - bare,
  }));
}

/** Only a meter that was there from the start can say what a start took; CPU time always is. */
export function meterOfStarts({ unit, sinceStart }: Meter) {
  return sinceStart ? { unit, sinceStart } : { unit: cpuTime.unit, sinceStart: cpuTime.sinceStart };
}
