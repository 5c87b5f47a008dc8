import { checkFinalState } from "./checker.ts";
import type { Choices } from "./choices.ts";
import { faultPhase } from "./fault-phase.ts";
import { newWorld } from "./new-world.ts";
import type { Platform } from "./outside.ts";
import { quiesce } from "./quiesce.ts";
import { openShop } from "./shop.ts";
import type { Database, Scenario, Violation } from "./world.ts";

export type Outcome = {
  violations: Violation[];
  trace: string[];
  tally: Record<string, number>;
  record: number[];
};

type Options = {
  seed: number;
  platform: Platform;
  choices: Choices;
  database: Database;
  isTold?: boolean;
  rule?: string | undefined;
};

const scenarios: [Scenario, number][] = [
  ["usual", 10],
  ["restless", 5],
  ["poor", 4],
  ["outage", 1],
  ["gateway off", 3],
];

/**
 * One schedule: a shop is opened, faults occur, then stop, and the final state is checked. The same seed, or the
 * same record of choices, is the same schedule to the last step. The database is left as the schedule made it.
 */
export const runSchedule = async ({ isTold = false, ...given }: Options): Promise<Outcome> => {
  const world = newWorld({ ...given, isTold });
  const { choices, database } = world;
  world.scenario = choices.weighted(scenarios);
  const subscriptionId = await openShop(world);
  world.isRestorable = database.mark !== undefined && choices.chance(250);
  await faultPhase(world, subscriptionId);
  if (world.violations.length === 0) await quiesce(world);
  if (world.violations.length === 0) await checkFinalState(world);
  database.release?.();
  world.count("charges", world.store.entries.filter(({ state }) => state === "succeeded").length);
  world.count("requests to the store", world.store.requests);
  world.count("commits", world.commits);
  const { violations, trace, tally } = world;
  return { violations, trace, tally, record: choices.record };
};
