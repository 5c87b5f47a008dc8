import { primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountId, stamps } from "../../db/columns.ts";

export const shopifyConnections = sqliteTable("shopify_connections", {
  account_id: text().primaryKey(),
  /** Sealed (connection.ts). */
  credentials: text().notNull(),
  ...stamps,
});

/** Who is making a subscription's contract, by real time. */
export const shopifyContracts = sqliteTable(
  "shopify_contracts",
  { account_id: accountId(), subscription_id: text().notNull(), lease_until: text().notNull() },
  (t) => [primaryKey({ columns: [t.account_id, t.subscription_id] })],
);
