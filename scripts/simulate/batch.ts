import "./raw.ts";
import "./at-once.ts";
import { createHash } from "node:crypto";
import { type Choices, fromRecord, fromSeed } from "../../simulator/kernel/choices.ts";
import type { Outcome } from "../../simulator/kernel/shrink.ts";
import { shrink } from "../../simulator/kernel/shrink.ts";
import type { Platform } from "../../simulator/kernel/store.ts";
import type { Violation } from "../../simulator/kernel/world.ts";
import type { Beside } from "../../simulator/seeded-bug.ts";
import { fixedSeed, type SeedRange } from "./seeds.ts";
import { hasBeside, shapeOf } from "./shape.ts";
import { memoryDatabase } from "./sqlite.ts";

/**
 * Runs the n-th schedule of the seeds and every `of`-th after it, after the one of the hint, for as long as the time allows. Begins once the
 * batches that were asked for before have ended: a thread has one database.
 */
export function runBatch(batch: Batch, ran: () => void = () => {}): Promise<Result> {
  const result = ended.then(() => runAlone(batch, ran));
  ended = result.catch(() => {});
  return result;
}

async function runAlone(batch: Batch, ran: () => void): Promise<Result> {
  const { seeds: _seeds, nth: _nth, of: _of, hint: _hint, beside, requiresSame = false, ...options } = batch;
  const { stopsWhenFound = false, forMs = Number.POSITIVE_INFINITY, ...narrowing } = options;
  if (requiresSame) await requireSame(narrowing);
  const end = performance.now() + forMs;
  const result: Result = { run: { ledger: 0, shopify: 0, stripe: 0 }, found: [], tally: {}, hashes: [] };
  for (const seed of seedsOf(batch)) {
    if (performance.now() > end) break;
    const { platform } = shapeOf(seed, narrowing.platform);
    if (beside && !hasBeside(seed, platform, beside)) continue;
    const { violations, tally, record } = await run(seed, { ...narrowing, platform });
    result.hashes.push([seed, hashOf(JSON.stringify([record, tally, violations]))]);
    result.run[platform]++;
    ran();
    for (const [what, times] of Object.entries(tally)) result.tally[what] = (result.tally[what] ?? 0) + times;
    if (violations.length > 0) result.found.push({ seed, platform, violations });
    if (stopsWhenFound && violations.length > 0) break;
  }
  return result;
}

export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** A schedule that differs between two runs could not be reproduced. */
async function requireSame(narrowing: Narrowing): Promise<void> {
  const [first, second] = [await traceOf(fixedSeed, narrowing), await traceOf(fixedSeed, narrowing)];
  if (first.join("\n") !== second.join("\n"))
    throw new Error(`Seed ${fixedSeed} gives two different schedules`);
}

/** The steps of a seed's schedule. */
export async function traceOf(seed: number, narrowing: Narrowing = {}): Promise<string[]> {
  return (await run(seed, { ...narrowing, isTraced: true })).trace;
}

/** The steps of the shortest schedule found that violates the same rule. */
export async function traceShortest(seed: number, narrowing: Narrowing = {}): Promise<string[]> {
  const best = await shrink(await run(seed, narrowing), (choices) => run(seed, { ...narrowing, choices }));
  return (await run(seed, { ...narrowing, choices: fromRecord(best), isTraced: true })).trace;
}

const { runSchedule } = await import("../../simulator/run.ts");

/** Runs on this platform instead of the seed's, or checks this rule alone. */
type Narrowing = { platform?: Platform | undefined; rule?: string | undefined };
export type Batch = Narrowing & {
  seeds: SeedRange[];
  nth: number;
  of: number;
  /** Ends with the first schedule that violates a rule. */
  stopsWhenFound?: boolean;
  /** No schedule begins later. */
  forMs?: number | undefined;
  /** Only the schedules beside whose billing this goes on. */
  beside?: Beside | undefined;
  /** Throws first if a schedule differs between two runs. */
  requiresSame?: boolean;
  /** A seed that is tried before the others. */
  hint?: number | undefined;
};
export type Found = { seed: number; platform: Platform; violations: Violation[] };
export type Result = {
  run: Record<Platform, number>;
  found: Found[];
  tally: Record<string, number>;
  /** By seed, a hash of each schedule: of every choice in it, and of what came of it. */
  hashes: [seed: number, hash: string][];
};

/** A message of a worker's thread: that a schedule ran, or the result of all. */
export type Message = "ran" | Result;

/** The end of the batch that was asked for last. */
let ended: Promise<unknown> = Promise.resolve();

const database = memoryDatabase();
/** The storage of the object that an account moves to. */
const object = memoryDatabase(1);

type RunOptions = Narrowing & { choices?: Choices; isTraced?: boolean };

function run(
  seed: number,
  { choices = fromSeed(seed), platform, ...rest }: RunOptions = {},
): Promise<Outcome> {
  const { engine, isMoving, ...shape } = shapeOf(seed, platform);
  database.empty(engine);
  if (isMoving) object.empty("object");
  return runSchedule({ seed, ...shape, ...(isMoving ? { object } : {}), choices, database, ...rest });
}

function* seedsOf({ hint, seeds, nth, of }: Batch): Generator<number> {
  if (hint !== undefined) yield hint;
  let at = 0;
  for (const { seed, schedules } of seeds)
    for (let next = 0; next < schedules; next++) if (at++ % of === nth) yield seed + next;
}
