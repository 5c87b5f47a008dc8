import "./raw.ts";
import { type Choices, fromRecord, fromSeed } from "../../simulator/choices.ts";
import type { Platform } from "../../simulator/outside.ts";
import type { Outcome } from "../../simulator/run.ts";
import { shrink } from "../../simulator/shrink.ts";
import type { Violation } from "../../simulator/world.ts";
import { memoryDatabase } from "./sqlite.ts";

const { runSchedule } = await import("../../simulator/run.ts");

/** What is run of a seed: on this platform, or on the one that is the seed's. */
type What = { platform?: Platform | undefined; rule?: string | undefined };
export type Batch = What & { seed: number; schedules: number; nth: number; of: number };
export type Found = { seed: number; platform: Platform; violations: Violation[] };
export type Result = { run: Record<Platform, number>; found: Found[]; tally: Record<string, number> };

const database = memoryDatabase();

/** One schedule in so many is with Shopify, whose requests take their time to be made and read. */
const shopifyEvery = 5;
const platformOf = (seed: number): Platform => (seed % shopifyEvery === 0 ? "shopify" : "ledger");

type How = What & { choices?: Choices; isTold?: boolean };

const run = (seed: number, { choices = fromSeed(seed), platform, ...how }: How = {}): Promise<Outcome> => {
  database.empty();
  return runSchedule({ seed, platform: platform ?? platformOf(seed), choices, database, ...how });
};

/** Of a seed's schedules the n-th, and every so many after it; each has a seed of its own, the first that seed itself. */
export const runBatch = async ({ seed, schedules, nth, of, ...what }: Batch): Promise<Result> => {
  const result: Result = { run: { ledger: 0, shopify: 0 }, found: [], tally: {} };
  for (let at = nth; at < schedules; at += of) {
    const platform = what.platform ?? platformOf(seed + at);
    const { violations, tally } = await run(seed + at, { ...what, platform });
    result.run[platform]++;
    for (const [what, times] of Object.entries(tally)) result.tally[what] = (result.tally[what] ?? 0) + times;
    if (violations.length > 0) result.found.push({ seed: seed + at, platform, violations });
  }
  return result;
};

/** What happens in a schedule, step by step. */
export const tell = async (seed: number, what: What = {}): Promise<string[]> =>
  (await run(seed, { ...what, isTold: true })).trace;

/** What happens in the shortest schedule that violates the same rule. */
export const tellShortest = async (seed: number, what: What = {}): Promise<string[]> => {
  const best = await shrink(await run(seed, what), (choices) => run(seed, { ...what, choices }));
  return (await run(seed, { ...what, choices: fromRecord(best), isTold: true })).trace;
};
