import type { OpenStoreInput, Store } from "./port.ts";
import { sandboxStore } from "./sandbox/adapter.ts";

/** The store platform that an account is connected to. Each adapter but the sandbox's is loaded by the first account that needs it. */
export async function openStore(input: OpenStoreInput): Promise<Store> {
  const { db, account, now } = input;
  if (account.store === "sandbox") return sandboxStore(db, account.seq, now);
  if (account.store === "stripe") {
    const { openStripeStore } = await import("./stripe/open.ts");
    return openStripeStore(input);
  }
  const { openShopifyStore } = await import("./shopify/open.ts");
  return openShopifyStore(input);
}
