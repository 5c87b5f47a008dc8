import type { OpenStoreInput, Store } from "./port.ts";
import { sandboxStore } from "./sandbox/adapter.ts";

/** The store platform that an account is connected to. The adapter of Shopify is loaded by the first account that is. */
export async function openStore(input: OpenStoreInput): Promise<Store> {
  const { db, account, now } = input;
  if (account.store === "sandbox") return sandboxStore(db, account.seq, now);
  const { openShopifyStore } = await import("./shopify/open.ts");
  return openShopifyStore(input);
}
