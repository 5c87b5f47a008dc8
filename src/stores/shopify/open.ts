import type { Log } from "../../base/lib/log.ts";
import { hourMs } from "../../base/lib/time/durations.ts";
import { ttlCache } from "../../base/lib/ttl-cache.ts";
import type { OpenStoreInput, Store } from "../port.ts";
import { shopifyStore } from "./adapter.ts";
import { appOf } from "./app/app.ts";
import { openConnection } from "./app/connection.ts";
import { findMissingScopes } from "./app/granted-scopes.ts";
import { mayEmail } from "./app/scopes.ts";
import { setUpStore } from "./app/set-up.ts";
import { disconnectIfUninstalled } from "./app/uninstalled.ts";
import { apiVersion } from "./client.ts";

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

/**
 * Notes the version by which Shopify has answered. It answers by the oldest one that it supports where the one that is asked for is no
 * more, so that a document may mean something else: https://shopify.dev/docs/api/usage/versioning
 */
function alertOfVersion(shop: string, nowMs: number, log: Log): (answered: string) => void {
  return (answered) => {
    const key = `${shop} ${answered}`;
    if (answered === apiVersion || alerted.get(key, nowMs)) return;
    alerted.set(key, true, nowMs);
    log("store_api_version", { alert: true, shop, asked: apiVersion, answered });
  };
}

/** Every request is answered so: there is an alert an hour for each shop and version. */
const alerted = ttlCache<true>(hourMs, 1000);
