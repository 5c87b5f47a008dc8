import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountSeq, flag, id, instant, stamps } from "../../base/db/columns.ts";
import type { ActorType } from "../../kit/context.ts";

export const refundStatuses = ["PENDING", "SUCCEEDED", "FAILED"] as const;

/** Refunds of orders that are kept here. Amounts are minor units of the order's currency. */
export const orderRefunds = sqliteTable(
  "order_refunds",
  {
    id: id(),
    account_seq: accountSeq(),
    order_id: text().notNull(),
    /** Whether it was asked for here; else it was made at the store. */
    is_own: flag(),
    amount: integer().notNull(),
    status: text({ enum: refundStatuses }).notNull(),
    reason: text(),
    /** Who asked for it, as the entry of its payment says. */
    created_by: text(),
    created_by_type: text().$type<ActorType>().notNull(),
    store_reference: text(),
    error_message: text(),
    /** The number of times that it was taken to be asked about. */
    tries: integer().notNull(),
    lease_until: instant(),
    next_action_at: instant(),
    ...stamps,
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.id] })],
);

export type OrderRefund = typeof orderRefunds.$inferSelect;
