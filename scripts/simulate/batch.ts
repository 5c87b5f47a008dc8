import { type Choices, fromRecord, fromSeed } from "../../simulator/choices.ts";
import { type Outcome, runSchedule } from "../../simulator/run.ts";
import { shortest } from "../../simulator/shortest.ts";
import type { Violation } from "../../simulator/world.ts";
import { memoryDatabase } from "./sqlite.ts";

export type Batch = { seed: number; schedules: number; nth: number; of: number; rule?: string | undefined };
export type Found = { seed: number; violations: Violation[] };
export type Result = { run: number; found: Found[]; tally: Record<string, number> };

const database = memoryDatabase();

type How = { choices?: Choices; isTold?: boolean; rule?: string | undefined };

const run = (seed: number, { choices = fromSeed(seed), ...how }: How = {}): Promise<Outcome> => {
  database.empty();
  return runSchedule({ seed, choices, database, ...how });
};

/** Of a seed's schedules the n-th, and every so many after it; each has a seed of its own, the first that seed itself. */
export const runBatch = async ({ seed, schedules, nth, of, rule }: Batch): Promise<Result> => {
  const result: Result = { run: 0, found: [], tally: {} };
  for (let at = nth; at < schedules; at += of) {
    const { violations, tally } = await run(seed + at, { rule });
    result.run++;
    for (const [what, times] of Object.entries(tally)) result.tally[what] = (result.tally[what] ?? 0) + times;
    if (violations.length > 0) result.found.push({ seed: seed + at, violations });
  }
  return result;
};

/** What happens in a schedule, step by step. */
export const tell = async (seed: number): Promise<string[]> => (await run(seed, { isTold: true })).trace;

/** What happens in the shortest schedule that violates the same rule. */
export const tellShortest = async (seed: number): Promise<string[]> => {
  const best = await shortest(await run(seed), (choices) => run(seed, { choices }));
  return (await run(seed, { choices: fromRecord(best), isTold: true })).trace;
};
