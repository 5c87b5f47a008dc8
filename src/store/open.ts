import type { Account } from "../accounts/tables.ts";
import type { StoreInstalls } from "./installs.ts";
import type { OpenStoreInput, Store } from "./port.ts";
import { sandboxStore } from "./sandbox/adapter.ts";
import { shopifyInstalls } from "./shopify/installs.ts";
import { openShopifyStore } from "./shopify/open.ts";
import { shopifyWebhooks } from "./shopify/webhooks.ts";
import type { StoreWebhooks } from "./webhooks.ts";

/** The store platform that an account is connected to. */
export function openStore(input: OpenStoreInput): Store {
  const { db, account, now } = input;
  return account.store === "sandbox" ? sandboxStore(db, account.id, now) : openShopifyStore(input);
}

/** The webhooks of each platform; the sandbox store sends none. */
export const storeWebhooks = {
  sandbox: undefined,
  shopify: shopifyWebhooks,
} satisfies Record<Account["store"], StoreWebhooks | undefined>;

/** The platforms whose merchants can install the app themselves. */
export const storeInstalls = {
  shopify: shopifyInstalls,
} satisfies Partial<Record<Account["store"], StoreInstalls>>;
