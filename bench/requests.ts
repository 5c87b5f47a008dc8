import { exportJWK, generateKeyPair } from "jose";
import { ask } from "./ask.ts";
import { recordPlans } from "./bare/plans.ts";
import { buildScript, type Script } from "./build.ts";
import {
  type Caller,
  type Case,
  callerOf,
  casesFor,
  mcpCall,
  mostWrites,
  subscriptionsForWrites,
} from "./cases.ts";
import { type Costs, type Load, measure, median, ratioOf } from "./measure.ts";
import type { Meter } from "./meters.ts";
import { type Served, serve } from "./serve.ts";

/** Each case beside the bare Worker; a key over none; a tool's call over the request that it stands for. */
export async function compareRequests(
  script: Script,
  load: Load,
  meter: Meter,
  done: () => void,
): Promise<Compared[]> {
  const bindings = { JWT_PRIVATE_JWK: await signingKey() };
  const bareScript = buildScript(undefined, "bench/bare/worker.ts");
  const subscriptions = subscriptionsForWrites;
  const compared: Compared[] = [];
  for (const isCached of [true, false]) {
    const its = cases.filter(({ cached, keyed }) => (cached ?? false) === isCached && !keyed);
    const ours = await serve({ script, subscriptions, cache: isCached, bindings });
    const caller = await callerOf(ours.address);
    const plans = JSON.stringify(await plansFor(script, its, bindings));
    const bare = await serve({
      script: bareScript,
      subscriptions,
      cache: isCached,
      bindings: { PLANS: plans },
    });
    for (const each of its) {
      compared.push(await compareCase(each, { ours, bare }, caller, load, meter));
      done();
    }
    if (!isCached) compared.push(...(await compareOwn(ours, caller, load, meter, done)));
    await Promise.all([ours.stop(), bare.stop()]);
  }
  return compared;
}

export async function signingKey(): Promise<string> {
  const { privateKey } = await generateKeyPair("EdDSA", { crv: "Ed25519", extractable: true });
  return JSON.stringify(await exportJWK(privateKey));
}

/** Recorded on a database of its own, which the recorded writes change. */
export async function plansFor(script: Script, its: Case[], bindings: Record<string, string>) {
  const recorder = await serve({
    script,
    subscriptions: subscriptionsForWrites,
    bindings: { ...bindings, RECORDS: "yes" },
  });
  try {
    const caller = await callerOf(recorder.address);
    await ask(recorder.address, mcpCall.request(0, caller));
    return await recordPlans(recorder.address, its, caller);
  } finally {
    await recorder.stop();
  }
}

export async function compareCase(
  each: Case,
  { ours, bare }: Both,
  caller: Caller,
  load: Load,
  meter: Meter,
): Promise<Compared> {
  const servers = [serverOf("ours", ours), serverOf("bare", bare)];
  const request = (nth: number) => {
    const asked = each.request(nth, caller);
    return { ...asked, headers: { ...asked.headers, "X-Case": each.name } };
  };
  return comparedOf(each, await measure(servers, request, load, meter));
}

const cases = casesFor(mostWrites);

export type Compared = {
  name: string;
  /** The cost of one request, in the meter's unit. */
  ours: number;
  bare?: number;
  ratio?: { median: number; least: number; most: number };
  over?: string;
  target?: number;
};

export const countOfCases = cases.length + 1;

type Both = { ours: Served; bare: Served };

function comparedOf({ name, target }: Case, costs: Costs): Compared {
  return {
    name,
    ours: median(costs.ours ?? []),
    bare: median(costs.bare ?? []),
    ratio: ratioOf(costs, "ours", "bare"),
    over: "bare Worker",
    ...(target === undefined ? {} : { target }),
  };
}

/** Compares a request with another of ours, in the same rounds. */
async function compareOwn(
  ours: Served,
  caller: Caller,
  load: Load,
  meter: Meter,
  done: () => void,
): Promise<Compared[]> {
  const named = (name: string): Case => cases.find((each) => each.name === name) as Case;
  const pairs = [
    { one: named("create, with Idempotency-Key"), other: named("create"), target: 1.15 },
    { one: named("ship-now, with Idempotency-Key"), other: undefined },
    { one: mcpCall, other: named("get a subscription"), target: 1.3 },
  ];
  const compared: Compared[] = [];
  for (const { one, other, target } of pairs) {
    const both = [one, ...(other ? [other] : [])];
    const servers = both.map(({ name }) => serverOf(name, ours));
    const costs = await measure(
      servers,
      (nth, { name }) => (both.find((each) => each.name === name) as Case).request(nth, caller),
      load,
      meter,
    );
    compared.push({
      name: one.name,
      ours: median(costs[one.name] ?? []),
      ...(other ? { ratio: ratioOf(costs, one.name, other.name), over: `our own: ${other.name}` } : {}),
      ...(target === undefined ? {} : { target }),
    });
    done();
  }
  return compared;
}

function serverOf(name: string, { address, pid }: Served) {
  return { name, address, pid: pid ?? Number.NaN };
}
