import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountId } from "../../db/columns.ts";

/** The sandbox store's own memory: the contracts it has made. */
export const sandboxContracts = sqliteTable("sandbox_contracts", {
  contract_id: integer().primaryKey(),
  account_id: accountId(),
  subscription_id: text().notNull(),
  created_at: text().notNull(),
});
