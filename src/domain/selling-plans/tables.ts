import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountSeq, flag, id, instant, stamps } from "../../base/db/columns.ts";
import { intervalUnits } from "../../base/lib/time/intervals.ts";

/** The id is the store's own or the merchant's. discount_value is basis points of a percentage, or minor units off each unit. */
export const sellingPlans = sqliteTable(
  "selling_plans",
  {
    id: id(),
    account_seq: accountSeq(),
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
    /** JSON: the products that the store offers it for; null where the store alone decides that. */
    product_ids: text(),
    /** The store's id of a plan that was created here. */
    store_plan_id: text(),
    /** The store's last refusal of the plan. */
    store_sync_error: text(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.id] })],
);

/** Plans that a store is to have, kept by triggers. By real time. */
export const sellingPlanSyncs = sqliteTable(
  "selling_plan_syncs",
  {
    account_seq: accountSeq(),
    selling_plan_id: text().notNull(),
    next_action_at: instant(),
    tries: integer().notNull(),
    version: integer().notNull(),
    lease_until: instant(),
    /** The store's group that was made for the plan. */
    store_group_id: text(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.selling_plan_id] })],
);

export type SellingPlanSync = typeof sellingPlanSyncs.$inferSelect;
export type SellingPlan = typeof sellingPlans.$inferSelect;
