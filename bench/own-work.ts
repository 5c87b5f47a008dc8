import { textOf } from "./bare/texts.ts";
import { buildScript, type Script } from "./build.ts";
import { type Case, callerOf, casesFor, mostWrites, subscriptionsForWrites } from "./cases.ts";
import { seededFile } from "./database.ts";
import { type Load, measure, median, ratioOf } from "./measure.ts";
import { type Meter, uncounted } from "./meters.ts";
import { plansFor, signingKey } from "./requests.ts";
import { type Served, serve } from "./serve.ts";

type Ratio = ReturnType<typeof ratioOf>;
/** The cost of a request where the database answers from memory, and its ratio to that of the bare Workers. */
export type OwnWork = { name: string; ours: number; overBare: Ratio; overText?: Ratio; target?: number };

/**
 * Each case where all databases answer from memory: what is left is what a platform bills the Worker for. The same request each time, as
 * a write leaves nothing.
 */
export async function compareOwnWork(
  script: Script,
  load: Load,
  meter: Meter,
  done: () => void,
): Promise<OwnWork[]> {
  const remembers = { REMEMBERS: "yes" };
  const bindings = { JWT_PRIVATE_JWK: await signingKey() };
  const plans = await uncounted(() => plansFor(script, cases, bindings));
  const file = await seededFile(subscriptionsForWrites);
  const texts = Object.fromEntries(
    Object.entries(plans).flatMap(([name, plan]) =>
      plan.kind === "read" ? [[name, textOf(plan, file)]] : [],
    ),
  );
  const start = (its: Script, more: Record<string, string>) =>
    serve({ script: its, subscriptions: subscriptionsForWrites, bindings: { ...remembers, ...more } });
  const servers: Record<string, Served> = {
    ours: await start(script, bindings),
    bare: await start(buildScript(undefined, "bench/bare/worker.ts"), { PLANS: JSON.stringify(plans) }),
    text: await start(buildScript(undefined, "bench/bare/text.ts"), { TEXTS: JSON.stringify(texts) }),
  };
  const caller = await callerOf(servers.ours?.address ?? "");
  const compared: OwnWork[] = [];
  for (const { name, request, writes } of cases) {
    const chosen = Object.entries(servers).filter(([server]) => server !== "text" || !writes);
    const asked = request(0, caller);
    const costs = await measure(
      chosen.map(([server, { address, pid }]) => ({ name: server, address, pid: pid ?? Number.NaN })),
      () => ({ ...asked, headers: { ...asked.headers, "X-Case": name } }),
      load,
      meter,
    );
    const target = targets[name];
    compared.push({
      name,
      ours: median(costs.ours ?? []),
      overBare: ratioOf(costs, "ours", "bare"),
      ...(writes ? {} : { overText: ratioOf(costs, "ours", "text") }),
      ...(target === undefined ? {} : { target }),
    });
    done();
  }
  await Promise.all(Object.values(servers).map(({ stop }) => stop()));
  return compared;
}

/** The most that a request's own work is to be of that of the bare Worker's that makes records. */
const targets: Record<string, number> = {
  "skip reasons": 1.3,
  "list of 25 subscriptions, with total": 1.15,
  "get a subscription": 1.25,
  create: 1.75,
  skip: 1.8,
};
const cases: Case[] = casesFor(mostWrites).filter(({ cached, keyed }) => !cached && !keyed);
export const countOfOwnWork = cases.length;
