// `npm run simulate`: random faults over the billing code, until a number of schedules has passed (docs/billing.md).
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { type Platform, platforms } from "../simulator/outside.ts";
import { type Batch, type Result, tell, tellShortest } from "./simulate/batch.ts";
import { runMutants } from "./simulate/mutants.ts";
import { summary } from "./simulate/summary.ts";

const { values } = parseArgs({
  options: {
    schedules: { type: "string" },
    seed: { type: "string", default: "20261121" },
    workers: { type: "string", default: String(availableParallelism()) },
    trace: { type: "boolean", default: false },
    mutants: { type: "boolean", default: false },
    only: { type: "string" },
    rule: { type: "string" },
    platform: { type: "string" },
    json: { type: "boolean", default: false },
  },
});

const numberOf = (name: "schedules" | "seed" | "workers"): number => {
  const number = Number(values[name] ?? (values.mutants ? 1000 : 5000));
  if (Number.isSafeInteger(number) && number >= 0) return number;
  throw new Error(`--${name} must be a whole number`);
};

const [schedules, seed, workers] = [numberOf("schedules"), numberOf("seed"), numberOf("workers")];

const platformOf = (text: string | undefined): Platform | undefined => {
  const platform = platforms.find((name) => name === text);
  if (platform || text === undefined) return platform;
  throw new Error(`--platform must be one of ${platforms.join(", ")}`);
};

const what = { platform: platformOf(values.platform), rule: values.rule };

const inWorker = (batch: Batch): Promise<Result> =>
  new Promise((resolve, reject) => {
    new Worker(`${import.meta.dirname}/simulate/worker.ts`, { workerData: batch })
      .on("message", resolve)
      .on("error", reject);
  });

/** A schedule that were not the same the next time could not be looked into. */
const requireSame = async (): Promise<void> => {
  const [once, again] = [await tell(seed, what), await tell(seed, what)];
  if (once.join("\n") !== again.join("\n")) throw new Error(`Seed ${seed} is not the same schedule twice`);
};

const simulate = async (): Promise<boolean> => {
  await requireSame();
  const started = performance.now();
  const batch = { ...what, seed, schedules, of: workers };
  const results = await Promise.all(Array.from({ length: workers }, (_, nth) => inWorker({ ...batch, nth })));
  const found = results.flatMap((result) => result.found).sort((a, b) => a.seed - b.seed);
  if (values.json) console.log(JSON.stringify({ run: results.map(({ run }) => run), found }));
  else console.log(summary(results, seed, (performance.now() - started) / 1000));
  const [first] = found;
  if (!first) return true;
  if (!values.json) {
    console.log(`\nThe shrink trace found for seed ${first.seed}:\n`);
    console.log((await tellShortest(first.seed, first)).join("\n"));
    const options = `--trace --platform ${first.platform} --seed ${first.seed}`;
    console.log(`\nThe whole schedule: npm run simulate -- ${options}`);
  }
  return false;
};

if (values.trace) console.log((await tell(seed, what)).join("\n"));
else {
  const isGood = values.mutants
    ? await runMutants({ schedules, seed, workers, only: values.only })
    : await simulate();
  process.exitCode = isGood ? 0 : 1;
}
