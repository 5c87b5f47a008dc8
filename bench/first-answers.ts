import { buildScript, type Script } from "./build.ts";
import { type Case, casesFor, keyOnly, mostWrites, subscriptionsForWrites } from "./cases.ts";
import { median } from "./measure.ts";
import { type Meter, uncounted } from "./meters.ts";
import { plansFor, signingKey } from "./requests.ts";
import { serve } from "./serve.ts";
import { meterOfStarts } from "./start-up.ts";

/** The cost of a new process until it has answered its first request, which is one that somebody waits for. */
export type FirstAnswer = { name: string; ours: number; bare: number };

/** Each case as the first request of a new runtime, ours and the bare Worker. */
export async function firstAnswers(
  script: Script,
  starts: number,
  meter: Meter,
  done: () => void,
): Promise<FirstAnswer[]> {
  const { sinceStart } = meterOfStarts(meter);
  const bindings = { JWT_PRIVATE_JWK: await signingKey() };
  const plans = JSON.stringify(await uncounted(() => plansFor(script, cases, bindings)));
  const workers = {
    ours: { script, bindings },
    bare: { script: buildScript(undefined, "bench/bare/worker.ts"), bindings: { PLANS: plans } },
  };
  const spentBy = async ({ name, request }: Case, worker: (typeof workers)["ours" | "bare"]) => {
    const asked = request(0, keyOnly);
    const served = await serve({
      ...worker,
      subscriptions: subscriptionsForWrites,
      first: { ...asked, headers: { ...asked.headers, "X-Case": name } },
    });
    const spent = sinceStart(served.pid ?? Number.NaN);
    await served.stop();
    done();
    return spent;
  };
  const found: FirstAnswer[] = [];
  for (const each of cases) {
    const spent = { ours: [] as number[], bare: [] as number[] };
    for (let start = 0; start < starts; start++) {
      spent.bare.push(await spentBy(each, workers.bare));
      spent.ours.push(await spentBy(each, workers.ours));
    }
    found.push({ name: each.name, ours: median(spent.ours), bare: median(spent.bare) });
  }
  return found;
}

const names = [
  "portal look-up, cached",
  "get a subscription",
  "list of 25 subscriptions, with total",
  "ship-now, the request",
];
/** The cache of a new isolate's place is empty too. */
const cases = casesFor(mostWrites).filter(({ name }) => names.includes(name));
export const countOfFirstAnswers = 2 * cases.length;
