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
  /** Where the webhooks of an installed app are sent, and when the store is to be set up next; null once it is. */
  webhooks_uri: text(),
  next_action_at: instant(),
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
    /** A hash of the delivery address that Shopify was sent last. */
    delivery: text(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.subscription_id] })],
);
