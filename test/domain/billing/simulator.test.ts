/** Random schedules of faults leave nothing wrong on D1 in workerd. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { fromSeed } from "../../../simulator/kernel/choices.ts";
import { platforms } from "../../../simulator/kernel/store.ts";
import { runSchedule } from "../../../simulator/run.ts";
import { testDb } from "../../support/database.ts";

/**
 * Thousands run on SQLite (npm run simulate); these show that D1, in workerd, is no different. The test runs at least this many
 * schedules, and goes on until they have charged more often than that: schedules that charge nothing would show nothing.
 * CI, whose MODEL_RUNS is larger, runs the whole number.
 */
const runs = Number(env.MODEL_RUNS);
const schedules = {
  ledger: Math.min(30, Math.ceil(runs / 15)),
  shopify: Math.min(15, Math.ceil(runs / 30)),
  stripe: Math.min(15, Math.ceil(runs / 30)),
};

test.each(platforms)(
  "schedules of faults on D1 leave nothing wrong: %s",
  { timeout: 600_000 },
  async (platform) => {
    const first = Number(env.FUZZ_SEED) + 1000 * platforms.indexOf(platform);
    let charges = 0;
    const fewest = schedules[platform];
    for (let seed = first; seed < first + fewest || charges <= fewest; seed++) {
      const { violations, tally } = await runSchedule({
        seed,
        platform,
        choices: fromSeed(seed),
        database: testDb(),
      });
      expect({ seed, violations }).toEqual({ seed, violations: [] });
      charges += tally.charges ?? 0;
    }
  },
);
