import type { Account } from "../../../src/base/accounts/tables.ts";
import type { StoreWorld } from "./world.ts";
import { sandboxWorld } from "./worlds/sandbox.ts";
import { shopifyWorld } from "./worlds/shopify.ts";
import { stripeWorld } from "./worlds/stripe.ts";

/** An account at each platform's fake, over which the promises of the port are tested. */
export const worlds: Record<Account["store"], () => Promise<StoreWorld>> = {
  sandbox: sandboxWorld,
  shopify: shopifyWorld,
  stripe: stripeWorld,
};
