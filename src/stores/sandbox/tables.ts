import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountSeq } from "../../base/db/columns.ts";

/** The sandbox store's ledger of charges. Those of each account have numbers of their own; a trigger numbers what comes without. */
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
    /** The test method that decides what refunds of the charge lead to; null for any other. */
    refunded_as: text(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.idempotency_key] })],
);

export type SandboxCharge = typeof sandboxCharges.$inferSelect;

/** The sandbox store's ledger of refunds: one row for each key, and rows without one for refunds that were made at the store itself. */
export const sandboxRefunds = sqliteTable(
  "sandbox_refunds",
  {
    account_seq: accountSeq(),
    refund_number: integer().notNull(),
    charge_number: integer().notNull(),
    idempotency_key: text(),
    state: text({ enum: ["LOST", "PENDING", "SUCCEEDED", "FAILED"] }).notNull(),
    amount: integer().notNull(),
    reason: text(),
    created_at: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.charge_number, t.refund_number] })],
);

export type SandboxRefund = typeof sandboxRefunds.$inferSelect;
