import { besideOf } from "./beside/names.ts";
import { openBeside } from "./beside/open.ts";
import { addEndpoints } from "./events/add-endpoints.ts";
import { endpointsOf } from "./events/endpoints.ts";
import { addStreamReader } from "./events/stream.ts";
import type { Choices } from "./kernel/choices.ts";
import type { Database } from "./kernel/database.ts";
import { faultPhase } from "./kernel/fault-phase.ts";
import { newWorld } from "./kernel/new-world.ts";
import { quiesce } from "./kernel/quiesce.ts";
import type { Outcome } from "./kernel/shrink.ts";
import type { Platform } from "./kernel/store.ts";
import type { Scenario, World } from "./kernel/world.ts";
import { type ErasableDatabase, openHomes } from "./moves/homes.ts";
import { beginMoves } from "./moves/part.ts";
import { addMailer } from "./notices/add-mailer.ts";
import { mailerOf } from "./notices/mailer.ts";
import { openAccounts, openStore } from "./open.ts";
import { parts } from "./parts.ts";

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
  const ways = { isOverHttp, sendsWebhooks };
  const homes = options.object && openHomes(options.database, options.object);
  const database = homes?.current ?? options.database;
  const world = newWorld({ ...options, database, isTraced });
  const { choices, worlds } = world;
  world.parts = parts;
  if (homes) beginMoves(world, homes);
  world.store = openStore(world, ways);
  world.scenario = choices.weighted(scenarios);
  await openAccounts(world, ways);
  for (const one of worlds) await addEndpoints(one);
  for (const one of worlds) addStreamReader(one);
  for (const one of worlds) await addMailer(one, options.seed);
  world.isRestorable = (await addBeside(world, options.seed)) && choices.chance(250);
  await faultPhase(world);
  const isClean = () => world.violations.length === 0;
  if (isClean()) await quiesce(world);
  for (const one of worlds)
    if (isClean()) for (const { checkAccount } of world.parts) await checkAccount?.(one);
  for (const { check } of world.parts) if (isClean()) await check?.(world);
  // Of a schedule that a violation has ended, what was to be restored is left.
  database.rewind?.();
  for (const { store } of worlds) {
    world.count("charges", store.entries.filter(({ state }) => state === "succeeded").length);
    world.count("requests to the store", store.requests);
  }
  world.count("further accounts", worlds.length - 1);
  world.count("endpoints", worlds.flatMap(endpointsOf).length);
  world.count("commits", world.commits);
  const { violations, trace, tally } = world;
  return { violations, trace, tally, record: choices.record };
}

/**
 * Has something go on beside billing, where the seed says so. Returns whether the database may be restored: where the account moves it has
 * two; a fence is made of triggers, which are no rows that could be watched beside a restore; and the ledger tells nobody of refunds that a
 * restore has undone.
 */
async function addBeside(world: World, seed: number): Promise<boolean> {
  const { platform, whereabouts, worlds, database } = world;
  // Customers who are mailed ask for links of their own, and an account that moves is mostly enough.
  const isFree = !worlds.some(mailerOf);
  const name = isFree ? besideOf(seed, platform, whereabouts !== undefined) : undefined;
  const part = name && (await openBeside(world, name));
  if (part) world.parts = [...world.parts, part];
  const isKept = name === "removal" || (name === "refunds" && platform === "ledger");
  return !whereabouts && !isKept && database.mark !== undefined;
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
