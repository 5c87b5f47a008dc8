import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountSeq, instant } from "../../base/db/columns.ts";

/** The webhooks of stores, and whether they have been worked on, by real time. */
export const webhookDeliveries = sqliteTable(
  "webhook_deliveries",
  {
    account_seq: accountSeq(),
    webhook_id: text().notNull(),
    topic: text().notNull(),
    /** The store's id, or our key, of the record that the webhook is about; never personal data. */
    subject: text().notNull(),
    tries: integer().notNull(),
    next_action_at: instant(),
    received_at: text().notNull(),
    done_at: instant(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.webhook_id] })],
);

export type WebhookDelivery = typeof webhookDeliveries.$inferSelect;
