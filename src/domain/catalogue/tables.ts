import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountSeq, flag } from "../../base/db/columns.ts";

/** The most items that a catalogue has. */
export const maxItems = 500;

/** Items that customers may put into their subscriptions, as the merchant lists them. */
export const catalogueItems = sqliteTable(
  "catalogue_items",
  {
    account_seq: accountSeq(),
    store_variant_id: text().notNull(),
    store_product_id: text().notNull(),
    product_title: text().notNull(),
    variant_title: text(),
    image_url: text(),
    /** Minor units of the account's currency. */
    price: integer().notNull(),
    /** JSON: the plans whose lines it is for; empty for all (rules.ts). */
    selling_plan_ids: text().notNull(),
    is_one_time_allowed: flag(),
    /** Its place in the merchant's list. */
    position: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.store_variant_id] })],
);

export type CatalogueItem = typeof catalogueItems.$inferSelect;
