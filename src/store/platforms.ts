import type { Account } from "../accounts/tables.ts";
import type { StoreInstalls } from "./installs.ts";
import { shopifyInstalls } from "./shopify/installs.ts";
import { shopifyWebhooks } from "./shopify/webhooks.ts";
import type { StoreWebhooks } from "./webhooks.ts";

/** The webhooks of each platform; the sandbox store sends none. */
export const storeWebhooks = {
  sandbox: undefined,
  shopify: shopifyWebhooks,
} satisfies Record<Account["store"], StoreWebhooks | undefined>;

/** The platforms whose merchants can install the app themselves. */
export const storeInstalls = {
  shopify: shopifyInstalls,
} satisfies Partial<Record<Account["store"], StoreInstalls>>;
