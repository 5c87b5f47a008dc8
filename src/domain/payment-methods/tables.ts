import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountSeq, flag, id, stamps } from "../../base/db/columns.ts";

export const paymentMethodStatuses = ["VALID", "EXPIRED", "REVOKED"] as const;

/** The payment methods of customers at the store, with the details that may be shown. */
export const paymentMethods = sqliteTable(
  "payment_methods",
  {
    id: id(),
    account_seq: accountSeq(),
    profile_id: text().notNull(),
    store_payment_method_id: text().notNull(),
    brand: text(),
    last4: text(),
    exp_month: integer(),
    exp_year: integer(),
    is_default: flag(),
    status: text({ enum: paymentMethodStatuses }).notNull(),
    ...stamps,
    /** The expiry that was last looked at, and when it is looked at again (expiring-methods.ts). */
    expiry_seen_of: text(),
    expiry_next_on: text(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.id] })],
);

export type PaymentMethod = typeof paymentMethods.$inferSelect;
