// `npm run simulate`: random faults over the billing code, until a number of schedules has passed (simulator/README.md).
import { availableParallelism } from "node:os";
import { type Platform, platforms } from "../simulator/kernel/store.ts";
import { minuteMs } from "../src/base/lib/time/durations.ts";
import { commandLine, refuse, wholeNumber } from "./command-line.ts";
import { progressOf } from "./progress.ts";
import { runSchedules } from "./simulate/run-schedules.ts";
import { commitSeed, fixedSeed, mixedSeeds, type SeedRange } from "./simulate/seeds.ts";
import { summary } from "./simulate/summary.ts";

const { values } = commandLine({
  usage: `Usage: npm run simulate -- [--schedules 5000 | --minutes M] [--seed N] [--workers N] [--trace] [--seeded-bugs [--only NAMES] [--remember]]

Random faults over the billing code, until a number of schedules has passed (simulator/README.md). Fails if a rule is broken. Without
--seed half of the schedules are the same in each run, and half follow from the commit.

    --schedules    how many schedules; by default 5,000, or 1,000 a bug
  --minutes      for how many minutes schedules are begun, in place of a number of them; with --seeded-bugs the most for one bug
  --seed         the first schedule's seed, from which the others follow
  --workers      how many run at once; by default one for each processor
  --platform     only this one: ${platforms.join(", ")}
  --rule         only this rule
  --until-found  ends with the first rule that is broken
    --trace        prints the schedule of the seed, and runs no other one
  --seeded-bugs  shows that each seeded bug is caught; --only names some of them
  --remember     keeps the seeds that have caught a bug, to be tried first the next time
  --json         prints the result as JSON`,
  options: {
    schedules: { type: "string" },
    minutes: { type: "string" },
    seed: { type: "string" },
    workers: { type: "string", default: String(availableParallelism()) },
    trace: { type: "boolean", default: false },
    "seeded-bugs": { type: "boolean", default: false },
    "until-found": { type: "boolean", default: false },
    only: { type: "string" },
    remember: { type: "boolean", default: false },
    rule: { type: "string" },
    platform: { type: "string" },
    json: { type: "boolean", default: false },
  },
});

const schedules = wholeNumber("schedules", values.schedules ?? (values["seeded-bugs"] ? "1000" : "5000"));
const seed = values.seed === undefined ? undefined : wholeNumber("seed", values.seed);
const workers = wholeNumber("workers", values.workers);
const forMs =
  values.minutes === undefined ? undefined : wholeNumber("minutes", values.minutes, { min: 1 }) * minuteMs;

function platformOf(text: string | undefined): Platform | undefined {
  const platform = platforms.find((name) => name === text);
  if (platform || text === undefined) return platform;
  return refuse(`--platform must be one of ${platforms.join(", ")}`);
}

const narrowing = {
  platform: platformOf(values.platform),
  rule: values.rule,
  stopsWhenFound: values["until-found"],
};

/** The code under test, which each thread loads anew: here only where it is run here. */
function loadBatch() {
  return import("./simulate/batch.ts");
}

/** The seeds of as many schedules as were asked for; of as many as there is time for, those that follow the first. */
function seedsToRun(): SeedRange[] {
  if (forMs !== undefined) return [{ seed: seed ?? commitSeed(), schedules: Number.POSITIVE_INFINITY }];
  return seed === undefined ? mixedSeeds(schedules) : [{ seed, schedules }];
}

async function simulate(): Promise<boolean> {
  const started = performance.now();
  const seeds = seedsToRun();
  const progress = values.json || forMs !== undefined ? undefined : progressOf("Simulating", schedules);
  const results = await runSchedules(
    { ...narrowing, seeds, forMs, requiresSame: !values.json },
    workers,
    () => progress?.advance(),
  );
  progress?.end();
  const found = results.flatMap((result) => result.found).sort((a, b) => a.seed - b.seed);
  if (values.json) console.log(JSON.stringify({ run: results.map(({ run }) => run), found }));
  else console.log(summary(results, seeds, (performance.now() - started) / 1000));
  const [first] = found;
  if (!first) return true;
  if (!values.json) {
    console.log(`\nThe shrink trace found for seed ${first.seed}:\n`);
    console.log((await (await loadBatch()).traceShortest(first.seed, first)).join("\n"));
    const options = `--trace --platform ${first.platform} --seed ${first.seed}`;
    console.log(`\nThe whole schedule: npm run simulate -- ${options}`);
  }
  return false;
}

async function showSeededBugs(): Promise<boolean> {
  const { runSeededBugs } = await import("./simulate/seeded-bugs.ts");
  return runSeededBugs({
    schedules,
    seed: seed ?? fixedSeed,
    workers,
    only: values.only,
    remembers: values.remember,
    ...(forMs === undefined ? {} : { perBugMs: forMs }),
  });
}

if (values.trace) {
  const { traceOf } = await loadBatch();
  console.log((await traceOf(seed ?? fixedSeed, narrowing)).join("\n"));
} else {
  const isPassed = values["seeded-bugs"] ? await showSeededBugs() : await simulate();
  process.exitCode = isPassed ? 0 : 1;
}
