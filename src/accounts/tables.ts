import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { instant, stamps } from "../db/columns.ts";

export const accounts = sqliteTable("accounts", {
  id: text().primaryKey(),
  name: text().notNull(),
  shop: text().notNull(),
  timezone: text().notNull(),
  currency_code: text().notNull(),
  ...stamps,
});

export const apiKeys = sqliteTable("api_keys", {
  id: text().primaryKey(),
  account_id: text().notNull(),
  name: text().notNull(),
  key_hash: text().notNull(),
  created_at: text().notNull(),
  last_used_at: instant(),
  revoked_at: instant(),
});

/** One merchant store: the owner of everything a request can see. */
export type Account = typeof accounts.$inferSelect;
export type ApiKey = typeof apiKeys.$inferSelect;
