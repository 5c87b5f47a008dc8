import { addNeighbours } from "./accounts/neighbours.ts";
import { createAccount, createShop } from "./accounts/shop.ts";
import { authorityOf } from "./billing/authority.ts";
import { noteConfirmation } from "./billing/confirmations.ts";
import { checkCharge } from "./billing/money.ts";
import { createApiKey } from "./http/api-key.ts";
import type { SimulatedStore } from "./kernel/store.ts";
import type { World } from "./kernel/world.ts";
import { checkOverselling } from "./orders/check-stock.ts";
import { openLedger } from "./stores/ledger-store.ts";
import { openShopify } from "./stores/shopify/store.ts";
import { stripeOf } from "./stores/stripe/opened.ts";
import { openStripe } from "./stores/stripe/store.ts";
import type { StoreWatch } from "./stores/watched.ts";
import { checkAnswer, checkCancellation, checkCreation, checkNote } from "./stripe/check-requests.ts";
import { connectForWebhooks } from "./stripe/receive-webhooks.ts";

/** How people ask, and whether Stripe's webhooks come to the Worker's own route. */
type Ways = { isOverHttp: boolean; sendsWebhooks: boolean };

/** Opens the store that the schedule is about. */
export function openStore(world: World, { sendsWebhooks }: Ways): SimulatedStore {
  if (world.platform === "shopify") return openShopify(world, watch);
  return world.platform === "stripe"
    ? openStripe(world, watchOfStripe, sendsWebhooks)
    : openLedger(world, watch);
}

/** Opens the account of a world, with its shop, and now and then further ones, which are connected to ledgers. */
export async function openAccounts(world: World, ways: Ways): Promise<void> {
  await openAccount(world, ways);
  const stripe = stripeOf(world);
  if (stripe?.webhooks) await connectForWebhooks(world, stripe);
  if (world.whereabouts) return;
  await addNeighbours(world, (neighbour) => {
    neighbour.store = openLedger(neighbour, watch);
    return openAccount(neighbour, ways);
  });
}

async function openAccount(world: World, { isOverHttp }: Ways): Promise<void> {
  await createAccount(world);
  if (isOverHttp) await createApiKey(world);
  await createShop(world);
}

const watch: StoreWatch = {
  authorize: authorityOf,
  charged: checkCharge,
  confirmed: noteConfirmation,
  oversells: checkOverselling,
};

const watchOfStripe = {
  ...watch,
  confirms: checkNote,
  created: checkCreation,
  cancels: checkCancellation,
  answered: checkAnswer,
};
