import type { Script } from "./build.ts";
import { callerOf, casesFor, mostWrites, subscriptionsForWrites } from "./cases.ts";
import { type Load, measure, median, ratioOf } from "./measure.ts";
import { cpuTime, uncounted } from "./meters.ts";
import { signingKey } from "./requests.ts";
import { serve } from "./serve.ts";
import { openHost } from "./soak/host.ts";

/** The CPU time of a request, in ms, to the file of one machine and to the local runtime with its simulator of D1. */
export type ComparedHost = {
  name: string;
  host: number;
  runtime: number;
  ratio: ReturnType<typeof ratioOf>;
};

/** Each request to both, on copies of one database. What the host writes is on the disk when it answers. */
export async function compareHost(script: Script, load: Load, done: () => void): Promise<ComparedHost[]> {
  const bindings = { JWT_PRIVATE_JWK: await signingKey() };
  const runtime = await uncounted(() =>
    serve({ script, subscriptions: subscriptionsForWrites, cache: true, bindings }),
  );
  const host = await openHost(subscriptionsForWrites, () => {});
  const callers = { host: await callerOf(host.address), runtime: await callerOf(runtime.address) };
  const servers = [
    { name: "host" as const, address: host.address, pid: host.pid() },
    { name: "runtime" as const, address: runtime.address, pid: runtime.pid ?? Number.NaN },
  ];
  const compared: ComparedHost[] = [];
  for (const { name, request } of cases) {
    const requestOf = (nth: number, server: { name: string }) =>
      request(nth, callers[server.name as keyof typeof callers]);
    const costs = await measure(servers, requestOf, load, cpuTime);
    const [its, other] = [median(costs.host ?? []), median(costs.runtime ?? [])];
    compared.push({ name, host: its, runtime: other, ratio: ratioOf(costs, "host", "runtime") });
    done();
  }
  await Promise.all([host.remove(), runtime.stop()]);
  return compared;
}

const cases = casesFor(mostWrites).filter(({ keyed }) => !keyed);
export const countOfHostCases = cases.length;
