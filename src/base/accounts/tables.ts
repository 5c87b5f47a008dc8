import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { flag, instant, stamps } from "../db/columns.ts";
import { engines } from "../env.ts";

export const stores = ["sandbox", "shopify"] as const;
export const finalActions = ["fail", "pause", "cancel"] as const;
export const outOfStockActions = ["retry", "skip", "bill_anyway"] as const;
export const prepaidEnds = ["deliver", "stop"] as const;
export const foreignChargeActions = ["wait", "count", "ignore"] as const;

export const accounts = sqliteTable("accounts", {
  id: text().primaryKey(),
  name: text().notNull(),
  shop: text().notNull(),
  timezone: text().notNull(),
  currency_code: text().notNull(),
  ...stamps,
  store: text({ enum: stores }).notNull(),
  /** JSON: days after the first failure on which a payment is tried again, ascending. */
  dunning_retry_days: text().notNull(),
  dunning_final_action: text({ enum: finalActions }).notNull(),
  payment_reminder_days_before: integer(),
  /** The account's own time, once its test clock has moved; the target it is moving to; until when a job has the lease to move it. */
  clock_at: instant(),
  clock_target: instant(),
  clock_lease_until: instant(),
  /** Until when the tick leaves the account alone, in real time, because jobs still process what it found due last. */
  due_busy_until: instant(),
  /** What happens to deliveries that are paid for when a subscription is cancelled. */
  prepaid_on_end: text({ enum: prepaidEnds }).notNull(),
  /** What happens to a cycle whose goods are out of stock. */
  out_of_stock_action: text({ enum: outOfStockActions }).notNull(),
  /** JSON: the settings of the customer portal (portal-settings.ts). */
  portal: text().notNull(),
  /** Whether the store asks customers for another payment method when a payment was declined for good. */
  notify_payment_update: flag(),
  /** JSON: the currencies in which the connected store sells; null on the sandbox store. */
  store_currencies: text(),
  /**
   * Where the account's rows are. In the deployment's database the row of an account with an object is its entry in the
   * directory: id, shop and engine count, and the rest is what the object was begun with.
   */
  engine: text({ enum: engines }).notNull(),
  /** JSON: how far the account is on its way to the other engine (operator/move/state.ts), or why it is closed (closed.ts); null where it is not. */
  moving: text(),
  /** What follows where somebody else has charged a subscription's contract at the store. */
  on_foreign_charge: text({ enum: foreignChargeActions }).notNull(),
  /** JSON: the permissions that the connected store does not give the app; null on the sandbox store. */
  store_missing_scopes: text(),
});

export const apiKeys = sqliteTable("api_keys", {
  id: text().primaryKey(),
  account_id: text().notNull(),
  name: text().notNull(),
  key_hash: text().notNull(),
  created_at: text().notNull(),
  last_used_at: instant(),
  revoked_at: instant(),
  /** What it may do, divided by spaces (scopes.ts); null for everything. */
  scopes: text(),
  expires_at: instant(),
});

/** One merchant store: the owner of everything a request can see. */
export type Account = typeof accounts.$inferSelect;
export type ApiKey = typeof apiKeys.$inferSelect;
