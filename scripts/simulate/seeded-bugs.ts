import { mutants } from "../../simulator/mutants/all.ts";
import type { Mutant, NamedTest } from "../../simulator/mutants/edits.ts";
import { root } from "../paths.ts";
import { type Found, runBatch } from "./batch.ts";
import { type Copy, newCopy, requireUpToDate } from "./mutated-copy.ts";
import { runNode } from "./run-node.ts";
import { type Judged, lineOf, tableOf } from "./seeded-bugs-table.ts";
import { failingTests, requirePassing } from "./vitest.ts";

type Options = { schedules: number; seed: number; workers: number; only: string | undefined };

/**
 * Seeds each bug in turn in copies of the project, until the simulator or the test that is named for it catches it. Prints each
 * as it is judged, then all of them. Returns whether all were caught.
 */
export async function runSeededBugs(options: Options): Promise<boolean> {
  for (const mutant of mutants) requireUpToDate(mutant);
  const only = options.only?.split(",");
  const chosen = mutants.filter(({ name }) => !only || only.some((part) => name.includes(part)));
  const waiting = [...chosen];
  const judged: Judged[] = [];
  const work = async (nth: number): Promise<void> => {
    const copy = newCopy(nth);
    try {
      for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
        const one = await judge(copy, mutant, options);
        judged.push(one);
        console.log(`${`${judged.length}/${chosen.length}`.padStart(7)}  ${lineOf(one)}`);
      }
    } finally {
      copy.remove();
    }
  };
  await requirePassing(root, testsOf(chosen));
  await Promise.all(Array.from({ length: options.workers }, (_, nth) => work(nth)));
  console.log(`\n${tableOf(judged)}`);
  return judged.every(({ caughtBy }) => caughtBy !== undefined);
}

function testsOf(chosen: Mutant[]): NamedTest[] {
  return chosen.flatMap(({ caughtBy }) => (caughtBy === "simulator" ? [] : [caughtBy]));
}

async function judge(copy: Copy, mutant: Mutant, options: Options): Promise<Judged> {
  const started = performance.now();
  copy.apply(mutant);
  const caughtBy =
    mutant.caughtBy === "simulator"
      ? await ruleThatCatches(copy, mutant, options)
      : await testThatCatches(copy, mutant.caughtBy);
  copy.restore();
  return { mutant, caughtBy, seconds: (performance.now() - started) / 1000 };
}

async function testThatCatches(copy: Copy, named: NamedTest): Promise<string | undefined> {
  const [failing] = await failingTests(copy.folder, [named]);
  return failing && `test "${failing}"`;
}

/** A violation that occurs without the mutant too does not show that it was caught: the search goes on behind that seed. */
async function ruleThatCatches(copy: Copy, mutant: Mutant, options: Options): Promise<string | undefined> {
  const narrowing = { platform: mutant.platform ?? "ledger", rule: mutant.rule } as const;
  const end = options.seed + options.schedules * (mutant.times ?? 1);
  for (let seed = options.seed; seed < end; ) {
    const found = await firstViolation(copy, { ...narrowing, seed, schedules: end - seed });
    if (!found) return undefined;
    const unmutated = await runBatch({ ...narrowing, seed: found.seed, schedules: 1, nth: 0, of: 1 });
    const rule = found.violations[0]?.rule;
    if (unmutated.found.length === 0) return `rule "${rule}" (schedule ${found.seed - options.seed + 1})`;
    seed = found.seed + 1;
  }
  return undefined;
}

type Search = { platform: string; rule: string | undefined; seed: number; schedules: number };

async function firstViolation(copy: Copy, search: Search): Promise<Found | undefined> {
  const { platform, rule, seed, schedules } = search;
  const { output } = await runNode(copy.folder, [
    `${copy.folder}scripts/simulate.ts`,
    ...["--json", "--until-found", "--workers", "1", "--platform", platform],
    ...["--schedules", String(schedules), "--seed", String(seed)],
    ...(rule === undefined ? [] : ["--rule", rule]),
  ]);
  const json = output.split("\n").find((line) => line.startsWith('{"run"'));
  if (json === undefined) throw new Error(`The simulator did not run:\n${output}`);
  return (JSON.parse(json) as { found: Found[] }).found[0];
}
