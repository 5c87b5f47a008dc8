import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The oldest version of the code that may work with the schema, in one row. */
export const minVersion = sqliteTable("min_version", {
  id: integer().primaryKey(),
  version: text().notNull(),
});

/** The backfills, with the row that each has come to. */
export const backfills = sqliteTable("backfills", {
  name: text().primaryKey(),
  after: text(),
  done_at: text(),
  required_by: text(),
});
