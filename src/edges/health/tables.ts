import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The last tick of the deployment, in one row: when it was, how long it took, the parts that failed, and what it has seen. */
export const heartbeats = sqliteTable("heartbeats", {
  id: integer().primaryKey(),
  at: text().notNull(),
  ms: integer().notNull(),
  failed: text().notNull(),
  figures: text().notNull(),
});

/** The messages that were given up, for a month. */
export const deadLetters = sqliteTable("dead_letters", {
  message_id: text().primaryKey(),
  at: text().notNull(),
  type: text(),
  account_id: text(),
});
