import { refreshContract } from "../../src/store-sync/contracts.ts";
import { spawn } from "../invocations.ts";
import type { World } from "../world.ts";
import type { OpenShopify } from "./store.ts";

const deeds = ["pause", "activate", "cancel", "edit"] as const;

/** What is changed at the store while it is charged is charged, which nobody can help. */
const isCharged = ({ tasks }: World, { attempts, late }: OpenShopify): boolean =>
  late.length > 0 ||
  tasks.some(({ name }) => name === "consumer of charge") ||
  attempts.entries.some(({ state }) => state === "pending" || state === "action_required");

/** A merchant does something to a contract in the store's own admin; the app is told of it later, if at all. */
export const editAsMerchant = (world: World, shopify: OpenShopify): void => {
  const { fake, contracts } = shopify;
  const living = fake.contracts().filter(({ status }) => status !== "CANCELLED" && status !== "EXPIRED");
  if (living.length === 0) return;
  const { choices } = world;
  const { number, status } = choices.pick(living);
  const deed = choices.weighted([
    ["pause", 5],
    ["activate", status === "PAUSED" ? 12 : 0],
    ["cancel", 1],
    ["edit", 2],
  ] as [(typeof deeds)[number], number][]);
  world.tell(() => `the merchant does this at the store: ${deed}`);
  world.count("deeds of the merchant at the store");
  const price = isCharged(world, shopify) ? {} : { deliveryPrice: 700 };
  if (deed === "edit") fake.merchant.edit(number, { note: "Changed at the store", ...price });
  else fake.merchant[deed](number);
  contracts.check({ job: undefined, isLate: true, bornAt: world.clock });
};

/** The store tells of a contract, again where nobody has heard it. */
export const tellOf = (world: World, { contracts }: OpenShopify, nth: number): Promise<void> => {
  const [number] = contracts.untold.splice(nth, 1) as [number];
  return spawn(
    world,
    "webhook of a contract",
    { type: "system", name: null },
    (ctx) => refreshContract(ctx, `gid://shopify/SubscriptionContract/${number}`),
    ({ how }) => {
      if (how === "done") contracts.missed.delete(number);
      else contracts.untold.push(number);
    },
  );
};

/** What the store has to tell of a contract never comes. */
export const miss = (world: World, { contracts }: OpenShopify, nth: number): void => {
  const [number] = contracts.untold.splice(nth, 1) as [number];
  contracts.missed.add(number);
  world.tell(() => "a webhook is LOST");
  world.count("webhooks lost");
};

/** What an operator does after a restore: what the database says that the store was told is taken for nothing. */
export const lookAtAll = async ({ database, shopify }: World): Promise<void> => {
  shopify?.contracts.missed.clear();
  await database.batch(
    [
      { sql: "UPDATE shopify_contracts SET delivery = NULL", params: [] },
      { sql: "UPDATE contract_syncs SET next_action_at = '2000-01-01T00:00:00.000Z'", params: [] },
    ],
    "write",
  );
};
