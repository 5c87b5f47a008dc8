import { calm } from "./calm.ts";
import type { Choices } from "./choices.ts";
import type { Platform } from "./outside.ts";
import { openShop } from "./shop.ts";
import { storm } from "./storm.ts";
import { judge } from "./verdict.ts";
import { type Database, type Mood, newWorld, type Violation } from "./world.ts";

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

const moods: [Mood, number][] = [
  ["usual", 10],
  ["restless", 5],
  ["poor", 4],
  ["outage", 1],
  ["gateway off", 3],
];

/**
 * One schedule: a shop is opened, a storm comes, faults stop, and what is then there is judged. The same seed, or the
 * same record of choices, is the same schedule to the last step. The database is left as the schedule made it.
 */
export const runSchedule = async ({ isTold = false, ...given }: Options): Promise<Outcome> => {
  const world = newWorld({ ...given, isTold });
  const { choices, database } = world;
  world.mood = choices.weighted(moods);
  const subscriptionId = await openShop(world);
  world.isRestorable = database.mark !== undefined && choices.chance(250);
  await storm(world, subscriptionId);
  if (world.violations.length === 0) await calm(world);
  if (world.violations.length === 0) await judge(world);
  database.release?.();
  world.count("charges", world.store.entries.filter(({ state }) => state === "succeeded").length);
  world.count("requests to the store", world.store.requests);
  world.count("commits", world.commits);
  const { violations, trace, tally } = world;
  return { violations, trace, tally, record: choices.record };
};
