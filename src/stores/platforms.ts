import type { Account } from "../base/accounts/tables.ts";
import type { StoreInstalls } from "./installs.ts";
import * as sandboxTables from "./sandbox/tables.ts";
import { shopifyInstalls } from "./shopify/installs.ts";
import * as shopifyTables from "./shopify/tables.ts";
import { shopifyWebhooks } from "./shopify/webhooks.ts";
import * as stripeTables from "./stripe/tables.ts";
import { orderNumbers, ownContracts } from "./tables.ts";
import type { StoreWebhooks } from "./webhooks.ts";

/** The webhooks of each platform whose headers name the sender; the sandbox store sends none. */
export const storeWebhooks = {
  sandbox: undefined,
  shopify: shopifyWebhooks,
  stripe: undefined,
} satisfies Record<Account["store"], StoreWebhooks | undefined>;

/** The platforms whose merchants can install the app themselves. */
export const storeInstalls = {
  shopify: shopifyInstalls,
} satisfies Partial<Record<Account["store"], StoreInstalls>>;

/** The tables of all platforms, by the names under which the code declares them. */
export const storeTables = {
  ownContracts,
  orderNumbers,
  ...sandboxTables,
  ...shopifyTables,
  ...stripeTables,
};
