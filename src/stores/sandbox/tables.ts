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
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.idempotency_key] })],
);

export type SandboxCharge = typeof sandboxCharges.$inferSelect;
