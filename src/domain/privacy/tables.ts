import { sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The account of an object, once it was erased. */
export const erasedAccounts = sqliteTable("erased_accounts", {
  id: text().primaryKey(),
  erased_at: text().notNull(),
});
