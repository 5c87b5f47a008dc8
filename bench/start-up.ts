import { buildScript } from "./build.ts";
import { median } from "./measure.ts";
import { cpuMs } from "./meters.ts";
import { serve } from "./serve.ts";

export type StartUp = { name: string; cpuMs: number; overBare: number };

/** What the runtime spends until a Worker has answered its first request: CPU time, which valgrind and perf cannot take over. */
export async function startUps(script: string, starts: number, done: () => void): Promise<StartUp[]> {
  const workers = {
    "bare Worker": buildScript(undefined, "bench/bare/worker.ts"),
    "Hono with zod-openapi, 11 routes": buildScript(undefined, "bench/peers/eleven-routes.ts"),
    "this Worker": script,
  };
  const spent: Record<string, number[]> = {};
  for (let start = 0; start < starts; start++)
    for (const [name, its] of Object.entries(workers)) {
      const served = await serve({ script: its });
      spent[name] = [...(spent[name] ?? []), cpuMs(served.pid ?? 0)];
      await served.stop();
      done();
    }
  const bare = median(spent["bare Worker"] ?? []);
  return Object.entries(spent).map(([name, its]) => ({
    name,
    cpuMs: median(its),
    overBare: median(its) - bare,
  }));
}
