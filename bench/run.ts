// `npm run bench`: this Worker beside a bare one on the same data, in one run, rounds interleaved.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { commandLine, refuse } from "../scripts/command-line.ts";
import { root } from "../scripts/paths.ts";
import { progressOf } from "../scripts/progress.ts";
import type { Cost } from "./costs.ts";
import type { Load } from "./measure.ts";
import { chooseMeter, isMeterName, runCounted } from "./meters.ts";
import type { Section } from "./report.ts";

const partNames = [
  "requests",
  "own-work",
  "objects",
  "host",
  "costs",
  "start-up",
  "first-answers",
  "bundle",
  "portal",
  "goods",
  "uploads",
] as const;
type PartName = (typeof partNames)[number];

const { values } = commandLine({
  usage: `Usage: npm run bench [-- --quick] [--only PART] [--meter METER] [--write]

Measures this Worker beside a bare one, on copies of one seeded database, and prints tables in Markdown: CPU or, where
the machine can count them, instructions for each request, also where the database answers from memory; the file of one machine beside the
local runtime; what each request
asks of the database; start-up, and the first answers of a new isolate; the script by module; the portal's pages; forecasts of goods; the
memory of the largest uploads. Takes hours by instructions. By CPU time it takes some minutes, and nothing
else should run.

  --quick  few rounds, and no database of 100,000 subscriptions: a minute or two
  --only   one part: ${partNames.join(", ")}
  --meter  what counts: perf, valgrind or cpu; by default the first that can, and cpu with --quick
  --write  also writes the tables to bench/RESULTS.md`,
  options: {
    quick: { type: "boolean" },
    only: { type: "string" },
    meter: { type: "string" },
    write: { type: "boolean" },
  },
});

const { quick = false, only } = values;
if (only !== undefined && !partNames.includes(only as PartName))
  refuse(`--only must be one of ${partNames.join(", ")}`);
if (values.meter !== undefined && !isMeterName(values.meter)) refuse("--meter must be perf, valgrind or cpu");

function wanted(part: PartName): boolean {
  return only === undefined || only === part;
}

// The rest is loaded once the arguments are known to be right.
const { buildScript } = await import("./build.ts");
const { gzipKilobytes, partsOf, sizesOfSources } = await import("./bundle.ts");
const { costsAt } = await import("./costs.ts");
const { compareHost, countOfHostCases } = await import("./host.ts");
const { compareObjects, countOfObjectCases } = await import("./objects.ts");
const { compareOwnWork, countOfOwnWork } = await import("./own-work.ts");
const { goodsCosts } = await import("./goods.ts");
const { portalCosts } = await import("./portal.ts");
const {
  bundleSection,
  costSection,
  firstAnswerSection,
  goodsSection,
  heading,
  hostSection,
  markdown,
  objectSection,
  ownWorkSection,
  partOf,
  portalSection,
  requestSection,
  setting,
  startUpSection,
} = await import("./report.ts");
const { countOfFirstAnswers, firstAnswers } = await import("./first-answers.ts");
const { compareRequests, countOfCases } = await import("./requests.ts");
const { meterOfStarts, startUps } = await import("./start-up.ts");

const sizes = quick ? [1000] : [1000, 100_000];

const its = setting(loadavg()[0] ?? Number.NaN);
const meter = chooseMeter(values.meter ?? (quick ? "cpu" : undefined));
runCounted(meter);
const starts = quick || meter.repeats ? 3 : 9;
const load = loadOf();
const script = buildScript();
const sections: Section[] = [];
console.log(heading(its));

if (wanted("requests"))
  await withProgress("Requests", countOfCases, async (done) => {
    show(requestSection(await compareRequests(script, load, meter, done), meter.unit));
  });
if (wanted("own-work"))
  await withProgress("Own work", countOfOwnWork, async (done) => {
    show(ownWorkSection(await compareOwnWork(script, load, meter, done), meter.unit));
  });
if (wanted("objects"))
  await withProgress("Requests of an account with an object", countOfObjectCases, async (done) => {
    show(objectSection(await compareObjects(script, load, meter, done), meter.unit));
  });
if (wanted("host"))
  await withProgress("Requests to one machine", countOfHostCases, async (done) => {
    show(hostSection(await compareHost(script, load, done)));
  });
if (wanted("costs")) {
  const costs = new Map<number, Cost[]>();
  for (const size of sizes) costs.set(size, await costsAt(script, size));
  show(costSection(costs));
}
if (wanted("start-up"))
  await withProgress("Starting", 3 * starts, async (done) => {
    show(startUpSection(await startUps(script, starts, meter, done), meterOfStarts(meter).unit));
  });
if (wanted("first-answers"))
  await withProgress("First answers", countOfFirstAnswers * starts, async (done) => {
    const answers = await firstAnswers(script, starts, meter, done);
    show(firstAnswerSection(answers, meterOfStarts(meter).unit));
  });
if (wanted("bundle")) show(bundleSection(partsOf(sizesOfSources()), gzipKilobytes(script)));
if (wanted("goods")) {
  const costs = [];
  for (const size of quick ? [3000] : [3000, 100_000]) costs.push(...(await goodsCosts(script, size)));
  show(goodsSection(costs));
}
if (wanted("portal")) show(portalSection(await portalCosts(script)));

const results = `${root}bench/RESULTS.md`;
if (values.write) writeFileSync(results, markdown(sections, its, readFileSync(results, "utf8")));

if (wanted("uploads") && !quick) {
  const uploads = spawnSync(process.execPath, [`${root}bench/upload-memory.ts`], { stdio: "inherit" });
  process.exitCode = uploads.status ?? 1;
}

/** Prints each part when it is known, as a later one may fail. */
function show(section: Section): void {
  sections.push(section);
  console.log(`\n${partOf(section)}`);
}

async function withProgress(
  label: string,
  steps: number,
  work: (done: () => void) => Promise<void>,
): Promise<void> {
  const progress = progressOf(label, steps);
  await work(() => progress.advance());
  progress.end();
}

/** Code that is called often is compiled anew by the runtime, which costs instructions of its own: a count needs much warm-up. */
function loadOf(): Load {
  if (quick) return { rounds: 2, warmUp: 20, requests: 40, atOnce: 4 };
  if (meter.repeats) return { rounds: 3, warmUp: 1_500, requests: 100, atOnce: 4 };
  return { rounds: 5, warmUp: 100, requests: 100, atOnce: 4 };
}
