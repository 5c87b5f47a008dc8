import "./raw.ts";
import type { SeededBug } from "../../simulator/seeded-bug.ts";
import { minuteMs } from "../../src/base/lib/time/durations.ts";
import { refuse } from "../command-line.ts";
import { type Found, runBatch } from "./batch.ts";
import { runInThread } from "./in-thread.ts";
import { knownSeeds, rememberSeeds } from "./known-seeds.ts";
import { isCaught, type Judged, lineOf, tableOf, type Verdict } from "./seeded-bugs-table.ts";

/** The bugs name functions of the code under test, so all of it is loaded with them. */
const { seededBugs } = await import("../../simulator/bugs.ts");

type Options = {
  schedules: number;
  seed: number;
  workers: number;
  only: string | undefined;
  /** Whether the seeds that have caught a bug are tried first the next time. */
  remembers: boolean;
  /** A bug that takes longer is named, and counts as not caught. */
  perBugMs?: number;
};

/**
 * Seeds each bug in turn, until the simulator catches it. Prints each as it is judged, then all of them. Returns whether all were caught.
 */
export async function runSeededBugs(options: Options): Promise<boolean> {
  const chosen = chosenBy(options.only);
  const seeds = knownSeeds();
  const waiting = [...chosen];
  const judged: Judged[] = [];
  const work = async (): Promise<void> => {
    for (let bug = waiting.shift(); bug; bug = waiting.shift()) {
      const one = await judge(bug, { ...options, hint: seeds[bug.name] });
      judged.push(one);
      console.log(`${`${judged.length}/${chosen.length}`.padStart(7)}  ${lineOf(one)}`);
    }
  };
  await Promise.all(Array.from({ length: options.workers }, work));
  console.log(`\n${tableOf(judged)}`);
  if (options.remembers) rememberSeeds(seedsOf(judged), seededBugs);
  return judged.every(isCaught);
}

/** All of them, or those whose name has one of the parts that are named. A part that none has is refused. */
function chosenBy(only: string | undefined): SeededBug[] {
  if (only === undefined) return seededBugs;
  const parts = only.split(",").map((part) => part.trim());
  const stray = parts.find((part) => part === "" || !seededBugs.some(({ name }) => name.includes(part)));
  if (stray !== undefined) refuse(`--only: no seeded bug has "${stray}" in its name`);
  return seededBugs.filter(({ name }) => parts.some((part) => name.includes(part)));
}

/** Of about so many seeds at least one has what goes on beside billing; the others are passed over at once. */
const besideEvery = 16;

/** An idle core needs seconds for most; a busy machine, minutes. */
const longestMs = 30 * minuteMs;

function seedsOf(judged: Judged[]): Record<string, number> {
  return Object.fromEntries(
    judged.flatMap(({ bug, verdict }) =>
      "caughtBy" in verdict && verdict.seed !== undefined ? [[bug.name, verdict.seed]] : [],
    ),
  );
}

type Search = Options & { hint: number | undefined };

/** A run that breaks is the verdict on its bug, so that the others are judged too. */
async function judge(bug: SeededBug, search: Search): Promise<Judged> {
  const started = performance.now();
  const verdict = await ruleThatCatches(bug, search).catch((error): Verdict => ({ missed: String(error) }));
  return { bug, verdict, seconds: (performance.now() - started) / 1000 };
}

/** A violation that occurs without the bug too does not show that it was caught: the search goes on behind that seed. */
async function ruleThatCatches(bug: SeededBug, search: Search): Promise<Verdict> {
  const { platform = "ledger", rule, beside, times = 1 } = bug;
  const narrowing = { platform, rule, beside };
  const end = search.seed + search.schedules * times * (beside ? besideEvery : 1);
  const { perBugMs = longestMs } = search;
  const deadline = performance.now() + perBugMs;
  let { hint } = search;
  for (let seed = search.seed; seed < end; ) {
    const found = await firstViolation(
      bug,
      { ...narrowing, hint, seeds: [{ seed, schedules: end - seed }] },
      deadline,
    );
    if (found === "timed out") return { missed: `no violation within ${perBugMs / 1000} s` };
    if (!found) return { missed: `no violation in the schedules of ${end - search.seed} seeds` };
    const one = { ...narrowing, seeds: [{ seed: found.seed, schedules: 1 }], nth: 0, of: 1 };
    const without = await runBatch(one);
    if (without.found.length === 0)
      return { caughtBy: `rule "${found.violations[0]?.rule}" (seed ${found.seed})`, seed: found.seed };
    if (found.seed !== hint) seed = found.seed + 1;
    hint = undefined;
  }
  return { missed: `no violation in the schedules of ${end - search.seed} seeds` };
}

type Range = Pick<Parameters<typeof runBatch>[0], "platform" | "rule" | "beside" | "hint" | "seeds">;

async function firstViolation(
  bug: SeededBug,
  range: Range,
  deadline: number,
): Promise<Found | "timed out" | undefined> {
  const batch = { ...range, nth: 0, of: 1, stopsWhenFound: true };
  const timeoutMs = Math.max(1, deadline - performance.now());
  const result = await runInThread({ batch, bug: bug.name }, { timeoutMs });
  return result ? result.found[0] : "timed out";
}
