import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountSeq, instant, stamps } from "../../base/db/columns.ts";

export const stripeConnections = sqliteTable("stripe_connections", {
  account_seq: accountSeq().primaryKey(),
  /** Sealed (connection.ts). */
  credentials: text().notNull(),
  ...stamps,
  /** The account at Stripe that the key was verified for and is sealed with. */
  store_account: text().notNull(),
  /** The webhook endpoint that was made at Stripe; null where somebody else has made it, or nobody. */
  webhook_endpoint: text(),
  /** When the key was last tried. */
  checked_at: text().notNull(),
  /** Since when Stripe has refused the key. */
  disconnected_at: instant(),
  /** When its webhooks are looked at next; null while Stripe refuses the key. */
  next_action_at: instant(),
});
