import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountId } from "../../db/columns.ts";

/** The sandbox store's records: its contracts, and its ledger of charges. */
export const sandboxContracts = sqliteTable("sandbox_contracts", {
  contract_id: integer().primaryKey(),
  account_id: accountId(),
  subscription_id: text().notNull(),
  created_at: text().notNull(),
});

export const sandboxCharges = sqliteTable("sandbox_charges", {
  charge_number: integer().primaryKey(),
  account_id: accountId(),
  idempotency_key: text().notNull(),
  state: text({ enum: ["LOST", "PENDING", "ACTION_REQUIRED", "SUCCEEDED", "DECLINED"] }).notNull(),
  amount: integer().notNull(),
  currency_code: text().notNull(),
  error_code: text(),
  created_at: text().notNull(),
  subscription_id: text(),
});

export type SandboxCharge = typeof sandboxCharges.$inferSelect;
