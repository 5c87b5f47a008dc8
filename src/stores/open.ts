import { platforms } from "./platforms.ts";
import type { OpenStoreInput, Store } from "./port.ts";

/** The store that an account is connected to. */
export async function openStore(input: OpenStoreInput): Promise<Store> {
  const open = await platforms[input.account.store].open();
  return open(input);
}
