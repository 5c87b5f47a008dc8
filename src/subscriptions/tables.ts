import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountId, id, stamps } from "../db/columns.ts";

export const subscriptionStatuses = ["ACTIVE", "PAUSED", "CANCELLED", "EXPIRED", "PAYMENT_FAILED"] as const;
export const intervals = ["DAY", "WEEK", "MONTH", "YEAR"] as const;

export const subscriptions = sqliteTable("subscriptions", {
  seq: integer().primaryKey(),
  id: id(),
  account_id: accountId(),
  revision: integer().notNull(),
  number: integer().notNull(),
  profile_id: text().notNull(),
  entity_id: text(),
  entity_label: text(),
  status: text({ enum: subscriptionStatuses }).notNull(),
  currency_code: text().notNull(),
  billing_interval: text({ enum: intervals }).notNull(),
  billing_interval_count: integer().notNull(),
  ...stamps,
});

export type Subscription = typeof subscriptions.$inferSelect;
