import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountId, flag, id, stamps } from "../db/columns.ts";
import { intervalUnits } from "../lib/intervals.ts";

/** The id is the store's. discount_value is basis points of a percentage, or minor units off each unit. */
export const sellingPlans = sqliteTable(
  "selling_plans",
  {
    id: id(),
    account_id: accountId(),
    name: text().notNull(),
    billing_interval: text({ enum: intervalUnits }).notNull(),
    billing_interval_count: integer().notNull(),
    delivery_interval: text({ enum: intervalUnits }).notNull(),
    delivery_interval_count: integer().notNull(),
    discount_type: text({ enum: ["PERCENTAGE", "FIXED_AMOUNT"] }),
    discount_value: integer(),
    shipping_amount: integer().notNull(),
    min_cycles: integer(),
    max_cycles: integer(),
    is_active: flag(),
    ...stamps,
    /** The store's group that the plan came with; null for a plan that was created here. */
    store_group_id: text(),
  },
  (t) => [primaryKey({ columns: [t.account_id, t.id] })],
);

export type SellingPlan = typeof sellingPlans.$inferSelect;
