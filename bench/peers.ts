import { type ChildProcess, spawn } from "node:child_process";
import { isDeepStrictEqual } from "node:util";
import { root } from "../scripts/paths.ts";
import { fileOf } from "../scripts/storage/local.ts";
import { demoApiKey } from "../src/base/demo.ts";
import { ask } from "./ask.ts";
import { buildScript } from "./build.ts";
import { type Case, peerCases } from "./cases.ts";
import { persisted, seededFile } from "./database.ts";
import { type Load, measure, median, type Server } from "./measure.ts";
import type { Meter } from "./meters.ts";
import { serve } from "./serve.ts";

export type PeerCosts = { name: string; costs: Record<string, number> };

/** What the same answers cost other stacks, each on its own copy of the same database. */
export async function comparePeers(
  script: string,
  load: Load,
  meter: Meter,
  done: () => void,
): Promise<PeerCosts[]> {
  const stops: (() => unknown)[] = [];
  const servers: Server[] = [];
  const add = async (name: string, its: string): Promise<void> => {
    const { address, pid, stop } = await serve({ script: its, subscriptions });
    stops.push(stop);
    servers.push({ name, address, pid: pid ?? Number.NaN });
  };
  try {
    await add("this Worker", script);
    for (const [name, file] of Object.entries(workers))
      await add(name, buildScript(undefined, `bench/peers/${file}.ts`));
    const fastify = await serveFastify(meter);
    stops.push(fastify.stop);
    servers.push({ name: inProcess, ...fastify });
    const compared: PeerCosts[] = [];
    for (const each of peerCases) {
      await requireSameAnswers(servers, each);
      const costs = await measure(servers, (nth) => each.request(nth, caller), load, meter);
      compared.push({
        name: each.name,
        costs: Object.fromEntries(Object.entries(costs).map(([name, its]) => [name, median(its)])),
      });
      done();
    }
    return compared;
  } finally {
    for (const stop of stops) await stop();
  }
}

const subscriptions = 1000;
const workers = { "Hono, zod-openapi, Drizzle": "naive", "Hono, chanfana": "chanfana" };
const inProcess = "Fastify, SQLite in its process";

export const countOfPeerCases = peerCases.length;

const key = { "X-API-Key": demoApiKey };
const caller = { key, both: key };

async function serveFastify(meter: Meter): Promise<{ address: string; pid: number; stop: () => void }> {
  const copy = persisted(await seededFile(subscriptions), "bench");
  const script = `${root}bench/peers/fastify.ts`;
  const [node = "", ...others] = meter.command(process.execPath);
  const child = spawn(node, [...others, script, fileOf("bench", `${copy.folder}/d1/`)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const stop = () => {
    child.kill();
    copy.remove();
  };
  return { address: await firstLine(child), pid: child.pid ?? Number.NaN, stop };
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout?.once("data", (text) => resolve(String(text).trim()));
    child.once("exit", (code) => reject(new Error(`Fastify ended with ${code}`)));
  });
}

/** Every server says the same, but for its own address. */
async function requireSameAnswers(servers: Server[], each: Case): Promise<void> {
  const answers = await Promise.all(
    servers.map(async ({ address }) =>
      JSON.parse((await ask(address, each.request(0, caller))).replaceAll(address, "")),
    ),
  );
  for (const [nth, answer] of answers.entries())
    if (!isDeepStrictEqual(answer, answers[0]))
      throw new Error(
        `${servers[nth]?.name} answers ${each.name} otherwise: ${JSON.stringify(answer).slice(0, 400)}`,
      );
}
