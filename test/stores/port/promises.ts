import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, test, vi } from "vitest";
import { type Account, stores } from "../../../src/base/accounts/tables.ts";
import { type Bindings, parseEnv } from "../../../src/base/env.ts";
import { platforms } from "../../../src/stores/platforms.ts";
import type { Store } from "../../../src/stores/port.ts";
import { testDb } from "../../support/database.ts";
import type { StoreWorld } from "./world.ts";
import { worlds } from "./worlds.ts";

type Check = (world: StoreWorld, store: Store) => Promise<void>;
type Promised = { member: string; sentence: string; check: Check };

/**
 * States promises of the store port, each of a member (`charge`, `contracts.find`). Each is tested over every adapter that has the member, so
 * that nobody lists which those are; test/stores/port/store-promises.node.test.ts fails for a member of which nothing is stated.
 */
export function overStores(
  state: (promise: (member: string, sentence: string, check: Check) => void) => void,
) {
  const promised: Promised[] = [];
  state((member, sentence, check) => promised.push({ member, sentence, check }));
  for (const name of stores) {
    const had = promised.filter(({ member }) => members[name]!.has(member));
    if (had.length > 0) describe(name, () => declare(name, had));
  }
}

function declare(name: Account["store"], promised: Promised[]): void {
  const world = {} as StoreWorld;
  beforeAll(async () => {
    Object.assign(world, await worlds[name]());
  });
  afterAll(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  for (const { member, sentence, check } of promised)
    test(`${member} ${sentence}`, async () => check(world, await world.open()));
}

/** The members of each adapter's store, which it has before anything is asked of it. */
const members = Object.fromEntries(
  await Promise.all(stores.map(async (name) => [name, new Set(membersOf(await openIdle(name)))] as const)),
);

/** A store of this platform, of which nothing is asked. */
export async function openIdle(store: Account["store"]): Promise<Store> {
  const open = await platforms[store].open();
  const realNow = new Date();
  const account = { id: "", seq: 0, store, store_missing_scopes: null } as unknown as Account;
  return open({
    env: parseEnv(env as Bindings),
    db: testDb(),
    account,
    now: realNow.toISOString(),
    realNow,
    log: () => {},
  });
}

function membersOf(part: object, within = ""): string[] {
  return Object.entries(part).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const isPart =
      typeof value === "object" && Object.values(value).every((each) => typeof each === "function");
    return isPart ? membersOf(value, `${name}.`) : [`${within}${name}`];
  });
}
