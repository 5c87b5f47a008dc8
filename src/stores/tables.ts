import { type Placeholder, type SQL, sql } from "drizzle-orm";
import {
  integer,
  primaryKey,
  type SQLiteColumn,
  type SQLiteTable,
  sqliteTable,
  text,
} from "drizzle-orm/sqlite-core";
import { type AccountSeq, accountSeq } from "../base/db/columns.ts";

/**
 * The contracts of subscriptions at stores that keep none. One count serves them all, so that a contract keeps its number when its
 * account is connected to another of them; a trigger numbers what comes without.
 */
export const ownContracts = sqliteTable(
  "own_contracts",
  {
    contract_id: integer(),
    account_seq: accountSeq(),
    subscription_id: text().notNull(),
    created_at: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.subscription_id] })],
);

/**
 * The orders of charges at stores that keep none, numbered as the contracts are. A store that numbers its charges itself, as the sandbox
 * does, has none here.
 */
export const orderNumbers = sqliteTable(
  "order_numbers",
  {
    order_number: integer(),
    account_seq: accountSeq(),
    store_order_id: text().notNull(),
    created_at: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.store_order_id] })],
);

/** The number after the account's last. */
export function nextNumber(
  column: SQLiteColumn,
  table: SQLiteTable & { account_seq: SQLiteColumn },
  account: AccountSeq | Placeholder,
): SQL<number> {
  return sql`(SELECT COALESCE(MAX(${column}), 0) + 1 FROM ${table} WHERE ${table.account_seq} = ${account})`;
}
