import type { World } from "../kernel/world.ts";
import { openLedger } from "../stores/ledger-store.ts";
import { createShop } from "./shop.ts";

/** The parts of the world that an account has for itself; clock, queue, tasks and database are everybody's. */
type Separate = Partial<
  Pick<
    World,
    | "account"
    | "watch"
    | "store"
    | "shopify"
    | "stripe"
    | "platform"
    | "subscriptionId"
    | "closedDays"
    | "endpoints"
    | "mailer"
    | "pricedByCycle"
    | "streamReader"
    | "confirmations"
    | "reported"
    | "expected"
    | "otherAmounts"
    | "repetitions"
    | "apiKey"
    | "asked"
  >
>;

/** Further accounts with the same database, queue and cron, each with a shop and a store of its own. */
export async function addNeighbours(world: World): Promise<void> {
  const count = world.choices.weighted([
    [0, 24],
    [1, 4],
    [2, 1],
  ]);
  for (let nth = 0; nth < count; nth++) {
    const neighbour = worldWith(world, { platform: "ledger", shopify: undefined, stripe: undefined });
    neighbour.store = openLedger(neighbour);
    world.worlds.push(neighbour);
    await createShop(neighbour);
  }
}

/** The world as another account sees it. */
export function worldWith(world: World, values: Separate): World {
  const separate: Record<PropertyKey, unknown> = {
    account: undefined,
    watch: undefined,
    store: undefined,
    subscriptionId: undefined,
    closedDays: undefined,
    endpoints: [],
    mailer: undefined,
    pricedByCycle: undefined,
    streamReader: undefined,
    confirmations: [],
    reported: new Map(),
    expected: new Map(),
    otherAmounts: new Set(),
    repetitions: new Set(),
    apiKey: "",
    asked: [],
    ...values,
  };
  return new Proxy(world, {
    get: (shared, key) => (key in separate ? separate[key] : Reflect.get(shared, key)),
    set: (shared, key, value) =>
      key in separate ? Reflect.set(separate, key, value) : Reflect.set(shared, key, value),
  });
}
