import { refreshContract } from "../../src/domain/store-sync/contracts.ts";
import { totalOf } from "../../test/support/fake-shopify/amounts.ts";
import { spawn } from "../kernel/invocations.ts";
import type { World } from "../kernel/world.ts";
import type { OpenShopify } from "../stores/shopify/opened.ts";

type Edit = "pause" | "activate" | "cancel" | "edit" | "card";

/** A merchant changes a contract in the store's admin, or a customer its payment method. The webhook comes later, or never. */
export function editAsMerchant(world: World, shopify: OpenShopify): void {
  const { fake, contracts, cards } = shopify;
  const living = fake.contracts().filter(({ status }) => status !== "CANCELLED" && status !== "EXPIRED");
  if (living.length === 0) return;
  const { choices } = world;
  const { number, status } = choices.pick(living);
  const edit = choices.weighted<Edit>([
    ["pause", 5],
    ["activate", status === "PAUSED" ? 12 : 0],
    ["cancel", 1],
    ["edit", 2],
    ["card", 3],
  ]);
  world.log(() => `the merchant does this at the store: ${edit}`);
  world.count("edits by the merchant at the store");
  if (edit === "edit") editPrice(shopify, number);
  else if (edit === "card") fake.merchant.edit(number, { method: fake.method(choices.pick(cards)) });
  else fake.merchant[edit](number);
  contracts.check({ job: undefined, isLate: true, bornAt: world.clock });
}

/** Another price of the delivery. Where the contract is about to be charged, or is being charged, that is charged. */
function editPrice({ fake, contracts, requests }: OpenShopify, number: number): void {
  fake.merchant.edit(number, { note: "Changed at the store", deliveryPrice: 700 });
  const { total } = totalOf(fake.contract(number), { taxRate: 0, taxesIncluded: true });
  contracts.priced.set(number, { at: requests, total });
}

/** A webhook reports that a contract changed. It comes again if the app failed to handle it. */
export function deliverContractWebhook(world: World, { contracts }: OpenShopify, nth: number): Promise<void> {
  const [number] = contracts.pendingWebhooks.splice(nth, 1) as [number];
  return spawn(
    world,
    "webhook of a contract",
    { type: "system", name: null },
    (ctx) => refreshContract(ctx, `gid://shopify/SubscriptionContract/${number}`),
    ({ outcome }) => {
      if (outcome === "done") contracts.lostWebhooks.delete(number);
      else contracts.pendingWebhooks.push(number);
    },
  );
}

/** A webhook about a contract never comes. */
export function loseContractWebhook(world: World, { contracts }: OpenShopify, nth: number): void {
  const [number] = contracts.pendingWebhooks.splice(nth, 1) as [number];
  contracts.lostWebhooks.add(number);
  world.log(() => "a webhook is LOST");
  world.count("webhooks lost");
}
