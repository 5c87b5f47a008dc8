// `npm run prove`: the proofs of docs/change/proofs.md in a minute, and a line that anybody can compare.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { commandLine, wholeNumber } from "./command-line.ts";
import { root } from "./paths.ts";
import { progressOf } from "./progress.ts";
import { program } from "./run-each.ts";
import { runSchedules } from "./simulate/run-schedules.ts";
import { fixedSeed } from "./simulate/seeds.ts";
import { summary, tallyOf } from "./simulate/summary.ts";

const { values } = commandLine({
  usage: `Usage: npm run prove -- [--seed N] [--schedules N]

Runs random schedules of faults (simulator/README.md), then the tests of each crash point and of forecasts against the orders that came
(docs/change/proofs.md). The last line says what was tried, with a hash of every schedule: with the same --seed it is the same on every machine with this commit.

  --seed       the first schedule's seed, from which the others follow; ${fixedSeed} by default
  --schedules  how many schedules; 300 by default`,
  options: {
    seed: { type: "string", default: String(fixedSeed) },
    schedules: { type: "string", default: "300" },
  },
});
const seed = wholeNumber("seed", values.seed);
const schedules = wholeNumber("schedules", values.schedules);

await import("./prepare.mjs");
const { passed, isPassed } = runTests();
const { line, isKept } = await runFaults();
console.log(`\n${passed} crash points and forecasts, ${line}`);
if (!isPassed || !isKept) process.exitCode = 1;

async function runFaults() {
  const started = performance.now();
  const seeds = [{ seed, schedules }];
  const progress = progressOf("Simulating", schedules);
  const results = await runSchedules({ seeds }, availableParallelism(), () => progress.advance());
  progress.end();
  console.log(summary(results, seeds, (performance.now() - started) / 1000));
  const broken = results.flatMap(({ found }) => found).length;
  const { tally, faults } = tallyOf(results);
  const text = results
    .flatMap(({ hashes }) => hashes)
    .toSorted(([a], [b]) => a - b)
    .join("\n");
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 16);
  const figures = `${schedules} schedules from seed ${seed}, ${tally.charges ?? 0} charges, ${faults} faults`;
  return { line: `${figures}, ${broken} broken rules: ${hash}`, isKept: broken === 0 };
}

/** Each point at which billing can crash, and whether upcoming deliveries and the forecast of goods are what happens. */
function runTests() {
  const files = [
    "test/domain/billing/crash-points.test.ts",
    "test/domain/billing/upcoming-happens.test.ts",
    "test/domain/goods/proof.test.ts",
  ];
  const outputFile = `${root}.simulate/prove.json`;
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile=${outputFile}`];
  const [command = "", ...args] = program(
    "vitest/vitest.mjs",
    "run",
    "--project=host",
    ...files,
    ...reporters,
  );
  const { status } = spawnSync(command, args, { cwd: root, stdio: "inherit" });
  const { numPassedTests: passed } = JSON.parse(readFileSync(outputFile, "utf8")) as {
    numPassedTests: number;
  };
  return { passed, isPassed: status === 0 };
}
