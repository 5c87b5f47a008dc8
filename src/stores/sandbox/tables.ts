import { type SQL, sql } from "drizzle-orm";
import {
  integer,
  primaryKey,
  type SQLiteColumn,
  type SQLiteTable,
  sqliteTable,
  text,
} from "drizzle-orm/sqlite-core";
import type { AccountSeq } from "../../base/db/columns.ts";
import { accountSeq } from "../../base/db/columns.ts";

/** The sandbox store's records: its contracts, and its ledger of charges. Those of each account have numbers of their own; a trigger numbers what comes without. */
export const sandboxContracts = sqliteTable(
  "sandbox_contracts",
  {
    contract_id: integer(),
    account_seq: accountSeq(),
    subscription_id: text().notNull(),
    created_at: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.subscription_id] })],
);

export const sandboxCharges = sqliteTable(
  "sandbox_charges",
  {
    charge_number: integer(),
    account_seq: accountSeq(),
    idempotency_key: text().notNull(),
    state: text({ enum: ["LOST", "PENDING", "ACTION_REQUIRED", "SUCCEEDED", "DECLINED"] }).notNull(),
    amount: integer().notNull(),
    currency_code: text().notNull(),
    error_code: text(),
    created_at: text().notNull(),
    subscription_id: text(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.idempotency_key] })],
);

export type SandboxCharge = typeof sandboxCharges.$inferSelect;

/** The number after the account's last. */
export function nextNumber(
  column: SQLiteColumn,
  table: SQLiteTable & { account_seq: SQLiteColumn },
  account: AccountSeq,
): SQL<number> {
  return sql`(SELECT COALESCE(MAX(${column}), 0) + 1 FROM ${table} WHERE ${table.account_seq} = ${account})`;
}
