import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountSeq } from "../../base/db/columns.ts";

/** Why a contract of the store's checkout cannot become a subscription. */
export const unsupportedReasons = [
  "CUSTOMER",
  "PAYMENT_METHOD",
  "PRICES",
  "LINES",
  "INTERVALS",
  "LAST_CYCLE",
  "ADDRESS",
  "ACCESS",
  "OTHER",
] as const;
export type UnsupportedReason = (typeof unsupportedReasons)[number];

/** Contracts of the store's checkout that cannot become subscriptions, until they can or have ended. */
export const unsupportedContracts = sqliteTable(
  "unsupported_contracts",
  {
    account_seq: accountSeq(),
    store_contract_id: integer().notNull(),
    reason: text({ enum: unsupportedReasons }).notNull(),
    /** The reason in words, for the merchant. */
    message: text().notNull(),
    currency_code: text().notNull(),
    /** Erased with the customer. */
    store_customer_id: text(),
    first_seen_at: text().notNull(),
    last_seen_at: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.store_contract_id] })],
);

export type UnsupportedContract = typeof unsupportedContracts.$inferSelect;
