import { primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountId, instant, stamps } from "../../db/columns.ts";

export const shopifyConnections = sqliteTable("shopify_connections", {
  account_id: text().primaryKey(),
  /** Sealed (connection.ts). */
  credentials: text().notNull(),
  ...stamps,
  /** Since when the store takes them no more. */
  disconnected_at: instant(),
  /** The myshopify.com domain that they were verified for and are sealed with; null for those of before it was kept. */
  shop: text(),
});

/** A subscription's contract is changed and charged by one at a time, by real time. */
export const shopifyContracts = sqliteTable(
  "shopify_contracts",
  {
    account_id: accountId(),
    subscription_id: text().notNull(),
    lease_until: text().notNull(),
    /** Where it goes, as last told: a hash. */
    delivery: text(),
  },
  (t) => [primaryKey({ columns: [t.account_id, t.subscription_id] })],
);
