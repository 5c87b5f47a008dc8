import type { OpenStoreInput, Store } from "../port.ts";
import { shopifyStore } from "./adapter.ts";
import { alertOfVersion } from "./api-version.ts";
import { appOf } from "./app/app.ts";
import { openConnection } from "./app/connection.ts";
import { findMissingScopes } from "./app/granted-scopes.ts";
import { mayEmail } from "./app/scopes.ts";
import { setUpStore } from "./app/set-up.ts";
import { disconnectIfUninstalled } from "./app/uninstalled.ts";

/** An account's Shopify store. Its credentials are read when a request first needs them. */
export function openShopifyStore({ env, db, account, now, realNow, log }: OpenStoreInput): Store {
  const key = env.STORE_CREDENTIALS_KEY;
  const app = appOf(env);
  let connection: ReturnType<typeof openConnection> | undefined;
  const connect = async () => {
    connection ??= openConnection(db, key, account.id, realNow.getTime(), app);
    const opened = await connection;
    return { ...opened, noteVersion: alertOfVersion(opened.shop, realNow.getTime(), log) };
  };
  const isUninstalled = () =>
    disconnectIfUninstalled({ db, key, app, accountId: account.id, realNow: realNow.toISOString(), log });
  return {
    ...shopifyStore({ db, account, now, realNow: realNow.toISOString(), connect, isUninstalled, log }),
    canAskForPaymentMethod: mayEmail(account),
    findMissingScopes: async () => findMissingScopes(await connect(), account),
    setUp: () => setUpStore({ db, connect, accountId: account.id }),
    disconnectIfUninstalled: isUninstalled,
  };
}
