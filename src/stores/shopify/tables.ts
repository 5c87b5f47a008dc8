import { primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountSeq, instant, stamps } from "../../base/db/columns.ts";

export const shopifyConnections = sqliteTable("shopify_connections", {
  account_seq: accountSeq().primaryKey(),
  /** Sealed (connection.ts). */
  credentials: text().notNull(),
  ...stamps,
  /** Since when the store has refused the credentials. */
  disconnected_at: instant(),
  /** The myshopify.com domain that the credentials were verified for and are sealed with. */
  shop: text().notNull(),
  /** The lease of whoever refreshes the token of an installed app, by real time. */
  refreshing_until: instant(),
  /** The address that the store sends its webhooks to; null if nobody has said. */
  webhooks_uri: text(),
  /** When its webhooks and contracts are looked at next; null while it is disconnected. */
  next_action_at: instant(),
  /** Contracts that were made since are looked at; null for all. */
  contracts_from: instant(),
  /** The progress of that (store-sync/contract-pass.ts); null between two looks. */
  contracts_pass: text(),
});

/** Installations that were finished; none is finished twice. */
export const shopifyInstallations = sqliteTable(
  "shopify_installations",
  { account_seq: accountSeq(), nonce: text().notNull(), expires_at: text().notNull() },
  (t) => [primaryKey({ columns: [t.account_seq, t.nonce] })],
);

/** The lease of a subscription's contract, by real time, so that only one job at a time changes or charges it. */
export const shopifyContracts = sqliteTable(
  "shopify_contracts",
  {
    account_seq: accountSeq(),
    subscription_id: text().notNull(),
    lease_until: text().notNull(),
    /** A hash of the contract and of the delivery address that it was sent last, or the mark of whoever sends one (deliveries.ts). */
    delivery: text(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.subscription_id] })],
);
