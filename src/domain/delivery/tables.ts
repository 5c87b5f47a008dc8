import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountSeq, flag, id, instant, stamps } from "../../base/db/columns.ts";

/** Days of the week are ISO 8601: 1 = Monday … 7 = Sunday. */
export const deliveryDays = sqliteTable(
  "delivery_days",
  {
    id: id(),
    account_seq: accountSeq(),
    day_of_week: integer().notNull(),
    packing_day_of_week: integer(),
    billing_day_of_week: integer(),
    courier_lead_time_days: integer(),
    is_active: flag(),
    ...stamps,
    deleted_at: instant(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.id] })],
);

export const deliverySlots = sqliteTable(
  "delivery_slots",
  {
    id: id(),
    account_seq: accountSeq(),
    delivery_day_id: text().notNull(),
    label: text().notNull(),
    start_time: text().notNull(),
    end_time: text().notNull(),
    is_all_day: flag(),
    position: integer().notNull(),
    is_active: flag(),
    ...stamps,
    deleted_at: instant(),
    /** Customers change a delivery until so many days before it, at this time (cutoff.ts); null days: no cut-off. */
    cutoff_days: integer(),
    cutoff_time: text(),
    /** The number of deliveries that the slot has room for on one day; null for any number. */
    max_deliveries_per_day: integer(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.id] })],
);

/** The number of deliveries that each slot has on each day, maintained by triggers (room.ts). */
export const deliveryCounts = sqliteTable(
  "delivery_counts",
  {
    account_seq: accountSeq(),
    delivery_slot_id: text().notNull(),
    delivery_date: text().notNull(),
    count: integer().notNull(),
    /** Since when there are more than the slot had room for, and when people were told so. */
    over_full_since: instant(),
    reported_at: instant(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.delivery_slot_id, t.delivery_date] })],
);

export const closedRules = ["earlier", "later", "skip"] as const;

/** Days on which the store is closed, from_date to to_date, both included. */
export const closedDays = sqliteTable(
  "closed_days",
  {
    id: id(),
    account_seq: accountSeq(),
    from_date: text().notNull(),
    to_date: text().notNull(),
    /** JSON: the kinds of dates that cannot stand on these days (closed-days.ts). */
    applies_to: text().notNull(),
    /** JSON: the ids of the slots that are closed; all are where there is none. */
    slot_ids: text().notNull(),
    rule: text({ enum: closedRules }).notNull(),
    label: text().notNull(),
    /** JSON: how far the stored next dates have been worked out anew since the last change; null once all have (domain/closed-days/follow.ts). */
    walk: text(),
    next_action_at: instant(),
    ...stamps,
    deleted_at: instant(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.id] })],
);

export type ClosedDayRow = typeof closedDays.$inferSelect;
export type DeliveryDay = typeof deliveryDays.$inferSelect;
export type DeliverySlot = typeof deliverySlots.$inferSelect;
