import { addNeighbours } from "./accounts/neighbours.ts";
import { createShop } from "./accounts/shop.ts";
import { asideOf } from "./asides/aside.ts";
import { openAside } from "./asides/open.ts";
import { checkFinalState } from "./checker.ts";
import { addEndpoints } from "./events/add-endpoints.ts";
import { addStreamReader } from "./events/stream.ts";
import type { Choices } from "./kernel/choices.ts";
import { faultPhase } from "./kernel/fault-phase.ts";
import { newWorld } from "./kernel/new-world.ts";
import { quiesce } from "./kernel/quiesce.ts";
import type { Platform } from "./kernel/store.ts";
import type { Database, Scenario, Violation } from "./kernel/world.ts";
import { checkMoves } from "./moves/check-moves.ts";
import type { ErasableDatabase } from "./moves/homes.ts";
import { watchMoves } from "./moves/watch.ts";
import { addMailer } from "./notices/add-mailer.ts";
import { connectForWebhooks } from "./stripe/receive-webhooks.ts";

export type Outcome = {
  violations: Violation[];
  trace: string[];
  tally: Record<string, number>;
  record: number[];
};

type Options = {
  seed: number;
  platform: Platform;
  /** Whether people and programs ask over HTTP. */
  isOverHttp?: boolean;
  /** Whether Stripe's webhooks come to the Worker's own route. */
  sendsWebhooks?: boolean;
  choices: Choices;
  database: Database;
  /** The storage of the object that the account moves to, where it does. */
  object?: ErasableDatabase;
  isTraced?: boolean;
  rule?: string | undefined;
};

/**
 * Runs one schedule: a shop is created, faults occur, then stop, and the final state is checked. The same seed or the same
 * record of choices is the same schedule to the last step. The database stays as the schedule left it.
 */
export async function runSchedule({
  isTraced = false,
  isOverHttp = false,
  sendsWebhooks = false,
  ...options
}: Options): Promise<Outcome> {
  const world = newWorld({ ...options, isTraced, isOverHttp, sendsWebhooks });
  const { choices, database } = world;
  world.scenario = choices.weighted(scenarios);
  await createShop(world);
  if (world.stripe?.webhooks) await connectForWebhooks(world, world.stripe);
  watchMoves(world);
  if (!world.homes) await addNeighbours(world);
  for (const one of world.worlds) await addEndpoints(one);
  for (const one of world.worlds) addStreamReader(one);
  for (const one of world.worlds) await addMailer(one, options.seed);
  // Customers who are mailed ask for links of their own, and an account that moves is mostly enough.
  const isFree = world.worlds.every(({ mailer }) => !mailer);
  const aside = isFree ? asideOf(options.seed, world.platform, world.homes !== undefined) : undefined;
  if (aside) world.aside = await openAside(world, aside);
  // A fence is made of triggers, which are no rows that could be watched beside a restore.
  // The ledger tells nobody of refunds that a restore has undone.
  const isKept = aside === "removal" || (aside === "refunds" && world.platform === "ledger");
  const mayRestore = !world.homes && !isKept && database.mark !== undefined;
  world.isRestorable = mayRestore && choices.chance(250);
  await faultPhase(world);
  if (world.violations.length === 0) await quiesce(world);
  for (const one of world.worlds) if (world.violations.length === 0) await checkFinalState(one);
  if (world.violations.length === 0) await checkMoves(world);
  if (world.violations.length === 0) await world.aside?.check();
  try {
    database.release?.();
  } catch (error) {
    world.report("references hold", String(error));
  }
  for (const { store } of world.worlds) {
    world.count("charges", store.entries.filter(({ state }) => state === "succeeded").length);
    world.count("requests to the store", store.requests);
  }
  world.count("further accounts", world.worlds.length - 1);
  world.count("endpoints", world.worlds.flatMap(({ endpoints }) => endpoints).length);
  world.count("commits", world.commits);
  const { violations, trace, tally } = world;
  return { violations, trace, tally, record: choices.record };
}

const scenarios: [Scenario, number][] = [
  ["usual", 10],
  ["restless", 5],
  ["poor", 4],
  ["outage", 1],
  ["gateway off", 3],
  ["gateway on and off", 3],
  ["challenged", 4],
];
