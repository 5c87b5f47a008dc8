import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountSeq, flag, id, instant, stamps } from "../../base/db/columns.ts";

export const entities = sqliteTable(
  "entities",
  {
    id: id(),
    account_seq: accountSeq(),
    profile_id: text().notNull(),
    entity_type: text().notNull(),
    name: text().notNull(),
    is_active: flag(),
    image_url: text(),
    wizard_id: text(),
    attributes: text().notNull(),
    ...stamps,
    deleted_at: instant(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.id] })],
);

/** The number of entities for each combination of list filters, maintained by triggers. */
export const entityCounts = sqliteTable(
  "entity_counts",
  {
    account_seq: accountSeq(),
    entity_type: text().notNull(),
    is_active: integer().notNull(),
    count: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.entity_type, t.is_active] })],
);

export type Entity = typeof entities.$inferSelect;
