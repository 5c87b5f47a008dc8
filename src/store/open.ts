import type { Account } from "../accounts/tables.ts";
import type { Db } from "../db/client.ts";
import type { Env } from "../env.ts";
import type { Store } from "./port.ts";
import { sandboxStore } from "./sandbox/adapter.ts";
import { shopifyStore } from "./shopify/adapter.ts";
import { openConnection } from "./shopify/connection.ts";
import type { Log } from "./shopify/records.ts";

type Parts = { env: Env; db: Db; account: Account; now: string; realNow: Date; log: Log };

/** The store platform that an account is connected to; its credentials are read when it is first asked. */
export const openStore = ({ env, db, account, now, realNow, log }: Parts): Store => {
  if (account.store === "sandbox") return sandboxStore(db, account.id, now);
  let opened: ReturnType<typeof openConnection> | undefined;
  const connect = () => {
    opened ??= openConnection(db, env.STORE_CREDENTIALS_KEY, account.id, realNow.getTime());
    return opened;
  };
  return shopifyStore({ db, account, now, realNow: realNow.toISOString(), connect, log });
};
