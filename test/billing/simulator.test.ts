import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { fromSeed } from "../../simulator/choices.ts";
import { runSchedule } from "../../simulator/run.ts";
import { testDb } from "../support/database.ts";

/** Thousands run on SQLite (npm run simulate); these show that on D1, in workerd, it is no different. */
const schedules = 40;

test("schedules of faults on D1 leave nothing wrong", { timeout: 120_000 }, async () => {
  const first = Number(env.FUZZ_SEED);
  let charges = 0;
  for (let seed = first; seed < first + schedules; seed++) {
    const { violations, tally } = await runSchedule({ seed, choices: fromSeed(seed), database: testDb() });
    expect({ seed, violations }).toEqual({ seed, violations: [] });
    charges += tally.charges ?? 0;
  }
  expect(charges).toBeGreaterThan(schedules);
});
