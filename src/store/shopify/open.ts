import type { OpenStoreInput, Store } from "../port.ts";
import { shopifyStore } from "./adapter.ts";
import { openConnection } from "./connection.ts";
import { disconnectIfUninstalled } from "./uninstalled.ts";

/** An account's Shopify store. Its credentials are read when a request first needs them. */
export function openShopifyStore({ env, db, account, now, realNow, log }: OpenStoreInput): Store {
  const key = env.STORE_CREDENTIALS_KEY;
  let connection: ReturnType<typeof openConnection> | undefined;
  const connect = () => {
    connection ??= openConnection(db, key, account.id, realNow.getTime());
    return connection;
  };
  const isUninstalled = () =>
    disconnectIfUninstalled({ db, key, accountId: account.id, realNow: realNow.toISOString(), log });
  return {
    ...shopifyStore({ db, account, now, realNow: realNow.toISOString(), connect, isUninstalled, log }),
    disconnectIfUninstalled: isUninstalled,
  };
}
