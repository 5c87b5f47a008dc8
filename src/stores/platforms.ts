import type { Account } from "../base/accounts/tables.ts";
import type { Statement } from "../base/db/port.ts";
import { once } from "../base/lib/once.ts";
import type { StoreInstalls } from "./installs.ts";
import type { KeyedStore } from "./keyed.ts";
import * as sandboxTables from "./sandbox/tables.ts";
import { forgetConnection } from "./shopify/app/connection.ts";
import { shopifyInstalls } from "./shopify/app/installs.ts";
import * as shopifyTables from "./shopify/tables.ts";
import { shopifyWebhooks } from "./shopify/webhooks.ts";
import * as stripeTables from "./stripe/tables.ts";
import { stripeWebhooks } from "./stripe/webhooks/webhooks.ts";
import { orderNumbers, ownContracts } from "./tables.ts";
import type { AddressedWebhooks, StoreWebhooks } from "./webhooks.ts";

/** The webhooks of each platform; the sandbox store sends none. */
export const storeWebhooks = {
  sandbox: undefined,
  shopify: shopifyWebhooks,
  stripe: stripeWebhooks,
} satisfies Record<Account["store"], StoreWebhooks | AddressedWebhooks | undefined>;

/** The platforms whose merchants can install the app themselves. */
export const storeInstalls = {
  shopify: shopifyInstalls,
} satisfies Partial<Record<Account["store"], StoreInstalls>>;

/** The platforms that merchants connect by keys of theirs. Each is loaded when it is first needed. */
export const keyedStores = {
  stripe: once(async () => (await import("./stripe/keyed.ts")).keyedStripe),
} satisfies Partial<Record<Account["store"], () => Promise<KeyedStore>>>;

/** The statements that end the connection of an account to an installed app, for whoever connects it to another platform. */
export const connectionEnds: Partial<Record<Account["store"], (accountId: string) => Statement>> = {
  shopify: forgetConnection,
};

/** The tables of all platforms, by the names under which the code declares them. */
export const storeTables = {
  ownContracts,
  orderNumbers,
  ...sandboxTables,
  ...shopifyTables,
  ...stripeTables,
};
