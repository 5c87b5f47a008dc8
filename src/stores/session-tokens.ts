import type { Db } from "../base/db/port.ts";
import type { Env } from "../base/env.ts";
import type { Log } from "../base/lib/log.ts";

/** The customer whom a store has signed in on its own pages, as the store has proven it. */
export type SignedInCustomer = {
  /** The account that is connected to the store; undefined where none is. */
  account_id: string | undefined;
  /** Undefined for somebody who is no customer. */
  store_customer_id: string | undefined;
};

/** The tokens by which a store's pages prove who is signed in on them. */
export type SessionTokens = {
  /** The shop that a token names, before anything is proven; empty for a text that is no token. */
  shopIn: (token: string) => string;
  /** Undefined unless the token is the store's, for this app, and valid now. */
  prove: (input: SessionTokenInput) => Promise<SignedInCustomer | undefined>;
};

export type SessionTokenInput = { db: Db; env: Env; token: string; now: Date; log: Log };
