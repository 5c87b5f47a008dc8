import type { Account } from "../base/accounts/tables.ts";
import type { Db, Statement } from "../base/db/port.ts";
import type { Env } from "../base/env.ts";
import type { Instant } from "../base/lib/time/dates.ts";

/** The port of a store that a merchant connects by its keys, and not by an app. */
export interface KeyedStore {
  /**
   * Connects the account, or replaces its keys. `writes` are of the same batch, for the account at the store that the keys are of. Throws
   * VALIDATION_FAILED for keys that cannot be used, and INVALID_STATE where the account may not leave what it is connected to.
   */
  connect(input: KeyedInput & { keys: StoreKeys; writes: WritesFor }): Promise<ConnectedByKeys>;
  /** Ends the connection: the account is on the sandbox store then. Throws INVALID_STATE while a subscription lives or an attempt is open. */
  disconnect(input: KeyedInput & { writes: WritesFor }): Promise<void>;
  /** The state of an account's connection when that was last looked at; undefined if it is not. */
  find(input: Pick<KeyedInput, "db" | "env" | "account">): Promise<KeyedConnection | undefined>;
}

export type KeyedInput = { db: Db; env: Env; account: Account; realNow: Instant };

/** `webhook_secret` where the merchant has made the webhook endpoint by hand. */
export type StoreKeys = {
  secret_key: string;
  publishable_key: string;
  webhook_secret?: string | undefined;
};

/** The statements of the same batch as a change of the connection, given the account at the store. */
export type WritesFor = (storeAccount: string) => Statement[];

/** `refused_since`: since when the store has refused the keys; null while it takes them. */
export type KeyedConnection = {
  store_account: string;
  webhook: "ok" | "missing";
  checked_at: Instant;
  refused_since: Instant | null;
};

/** `warnings`: currency, if the account at the store is paid out in another, so that each charge is converted. */
export type ConnectedByKeys = KeyedConnection & { is_live: boolean; warnings: "currency"[] };
