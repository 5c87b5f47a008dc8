import { cpSync, rmSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { ask } from "../scripts/storage/door.ts";
import { demoId } from "../src/base/demo.ts";
import type { Progress } from "../src/edges/operator/move/state.ts";
import { buildScript, type Script } from "./build.ts";
import { callerOf, casesFor, mostWrites, subscriptionsForWrites } from "./cases.ts";
import { persisted, seededFile } from "./database.ts";
import type { Load } from "./measure.ts";
import { cpuTime, type Meter, uncounted } from "./meters.ts";
import { type Compared, compareCase, plansFor, signingKey } from "./requests.ts";
import { serve } from "./serve.ts";

/** A case's cost in the meter's unit, and what it is of the bare Worker's in CPU time, where that is another meter. */
export type ComparedObject = Compared & { cpuRatio?: Compared["ratio"] };

/**
 * Requests of an account that has an object of its own beside the bare Worker on D1. An object saves what waits for
 * others rather than instructions, so CPU time is measured too, by a runtime that nothing else counts.
 */
export async function compareObjects(
  script: Script,
  load: Load,
  meter: Meter,
  done: () => void,
): Promise<ComparedObject[]> {
  const bindings = { JWT_PRIVATE_JWK: await signingKey(), OPERATOR_KEY: crypto.randomUUID() };
  const plans = JSON.stringify(await uncounted(() => plansFor(script, cases, bindings)));
  const moved = persisted(await seededFile(subscriptionsForWrites), "bench");
  await uncounted(() => moveToObject(script, moved.folder, bindings));
  const compareBy = async (its: Meter): Promise<Compared[]> => {
    const folder = `${moved.folder}-${its.unit.replaceAll(" ", "-")}`;
    cpSync(moved.folder, folder, { recursive: true });
    const ours = await serve({ script, folder, objects: true, bindings });
    const bare = await serve({
      script: buildScript(undefined, "bench/bare/worker.ts"),
      subscriptions: subscriptionsForWrites,
      bindings: { PLANS: plans },
    });
    const caller = await callerOf(ours.address);
    const compared: Compared[] = [];
    for (const each of cases) {
      compared.push(await compareCase(each, { ours, bare }, caller, load, its));
      done();
    }
    await Promise.all([ours.stop(), bare.stop()]);
    rmSync(folder, { recursive: true, force: true });
    return compared;
  };
  try {
    const compared = await compareBy(meter);
    if (meter.unit === cpuTime.unit) return compared;
    const byTime = await uncounted(() => compareBy(cpuTime));
    return compared.map((each, nth) => ({ ...each, cpuRatio: byTime[nth]?.ratio }));
  } finally {
    moved.remove();
  }
}

/** The ratio that a request of an account with an object is not to exceed, to the bare Worker's on D1. */
const targets: Record<string, number> = {
  "list of 25 subscriptions, with total": 0.8,
  "get a subscription": 0.6,
  create: 0.7,
  skip: 0.7,
  "ship-now, the request": 0.7,
};
const cases = casesFor(mostWrites)
  .filter(({ name }) => name in targets)
  .map((each) => ({ ...each, target: targets[each.name] as number }));
/** Each case is measured once by the meter, and once by CPU time. */
export const countOfObjectCases = 2 * cases.length;

type Bindings = { OPERATOR_KEY: string };

async function moveToObject(script: Script, folder: string, bindings: Bindings): Promise<void> {
  const { address, stop } = await serve({ script, folder, objects: true, bindings });
  const door = { address, key: bindings.OPERATOR_KEY };
  const account_id = demoId("account", 1);
  // While its copy is left behind, the account is looked up with each request.
  for (let last: Progress | undefined; last?.step !== "moved"; ) {
    const asked = { account_id, to: "object", force: true, ...(last?.cursor ? { cursor: last.cursor } : {}) };
    const progress: Progress = await ask(door, "moves", asked);
    await wait(progress.waitMs);
    last = progress;
  }
  await stop();
}
