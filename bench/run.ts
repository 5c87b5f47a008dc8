// `npm run bench`: this Worker beside a bare one (bare.js) on the same data, in one run, rounds interleaved.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { Agent, get } from "node:http";
import { gzipSync } from "node:zlib";
import { commandLine } from "../scripts/command-line.ts";
import { root } from "../scripts/paths.ts";
import { progressOf } from "../scripts/progress.ts";
import { demoApiKey, demoShop } from "../src/demo.ts";
import { buildScript } from "./build.ts";
import { portalCosts } from "./portal.ts";
import { type Served, serve } from "./serve.ts";

commandLine({
  usage: `Usage: npm run bench

Measures this Worker beside a bare one, and the memory of the largest uploads. Takes minutes; nothing else should run.`,
  options: {},
});

const rounds = 9;
const roundMs = 700;
const concurrency = 8;
const starts = 7;

const portal = `/api/public/portal/skip-reasons?shop=${demoShop}`;
const cases = [
  { name: "portal look-up, cached", path: portal, cache: true },
  { name: "portal look-up, uncached", path: portal, cache: false },
  { name: "skip-reason list, with a key", path: "/api/subscriptions/skip-reasons", cache: false },
  { name: "entity list of 25, with total", path: "/api/subscriptions/entities?limit=25", cache: false },
  { name: "static answer", path: "/.well-known/jwks.json", cache: false },
];

const progress = progressOf("Measuring", cases.length * (rounds + 1) + starts);

const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
const headers = { "X-API-Key": demoApiKey };

const request = (url: string): Promise<void> =>
  new Promise((resolve, reject) => {
    get(url, { agent, headers }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${url} answered ${answer.statusCode}`));
      answer.resume().on("end", resolve);
    }).on("error", reject);
  });

type Cost = { wall: number; cpu: number };

/** What one request costs, several being in flight. */
const measure = async ({ address, cpuMs }: Served, path: string): Promise<Cost> => {
  const started = performance.now();
  const cpu = cpuMs() ?? Number.NaN;
  let count = 0;
  const client = async () => {
    for (; performance.now() - started < roundMs; count++) await request(address + path);
  };
  await Promise.all(Array.from({ length: concurrency }, client));
  return { wall: (performance.now() - started) / count, cpu: ((cpuMs() ?? Number.NaN) - cpu) / count };
};

const median = (values: number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** Ours over theirs, round by round; who goes first changes, and the first round only warms up. */
const compare = async (ours: Served, theirs: Served, path: string): Promise<Cost[]> => {
  const ratios: Cost[] = [];
  for (let round = 0; round <= rounds; round++) {
    const first = await measure(round % 2 ? ours : theirs, path);
    const second = await measure(round % 2 ? theirs : ours, path);
    const [mine, its] = round % 2 ? [first, second] : [second, first];
    ratios.push({ wall: mine.wall / its.wall, cpu: mine.cpu / its.cpu });
    progress.advance();
  }
  return ratios.slice(1);
};

const summary = (ratios: number[]): string =>
  `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})`;

const script = buildScript();
const bare = readFileSync(`${root}bench/bare.js`, "utf8");

console.log("Per request ÷ a bare Worker: median of rounds (lowest–highest)\n");
console.log(`  ${"".padEnd(30)}${"CPU of the runtime".padEnd(22)}time`);
for (const cache of [true, false]) {
  const [ours, theirs] = [await serve(script, cache), await serve(bare, cache)];
  for (const { name, path } of cases.filter((each) => each.cache === cache)) {
    const ratios = await compare(ours, theirs, path);
    const [cpu, wall] = [ratios.map((ratio) => ratio.cpu), ratios.map((ratio) => ratio.wall)];
    console.log(`  ${name.padEnd(30)}${summary(cpu).padEnd(22)}${summary(wall)}`);
  }
  await Promise.all([ours.stop(), theirs.stop()]);
}

const startUps: number[] = [];
for (let start = 0; start < starts; start++) {
  const [ours, theirs] = [await serve(script, false), await serve(bare, false)];
  startUps.push(ours.startMs / theirs.startMs);
  progress.advance();
  await Promise.all([ours.stop(), theirs.stop()]);
}
progress.end();
console.log(`  ${"start to first answer".padEnd(52)}${summary(startUps)}`);
console.log(
  `\n  script ${(script.length / 1024).toFixed(0)} KiB minified, ${(gzipSync(script).length / 1024).toFixed(0)} KiB gzip`,
);

console.log("\n  portal page                   KB compressed         trips to the database");
for (const { name, kilobytes, trips } of await portalCosts(script))
  console.log(`  ${name.padEnd(30)}${kilobytes.toFixed(1).padEnd(22)}${trips}`);

const uploads = spawnSync(process.execPath, [`${root}bench/upload-memory.ts`], { stdio: "inherit" });
process.exitCode = uploads.status ?? 1;
