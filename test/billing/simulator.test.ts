import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { fromSeed } from "../../simulator/choices.ts";
import { runSchedule } from "../../simulator/run.ts";
import { platforms } from "../../simulator/simulated-store.ts";
import { testDb } from "../support/database.ts";

/**
 * Thousands run on SQLite (npm run simulate); these show that on D1, in workerd, it is no different. So many at least are run, and
 * more until they have charged more often than that: schedules that charge nothing would show nothing.
 */
const schedules = { ledger: 30, shopify: 15 };

test.each(platforms)(
  "schedules of faults on D1 leave nothing wrong: %s",
  { timeout: 300_000 },
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
