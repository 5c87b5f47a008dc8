import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { type AccountSeq, accountSeq, flag, instant, stamps } from "../db/columns.ts";
import { engines } from "../env.ts";

/** The built-in store, on which an account is until it is connected to another. It charges nobody. */
export const builtInStore = "sandbox";
export const stores = [builtInStore, "shopify", "stripe"] as const;
export const finalActions = ["fail", "pause", "cancel"] as const;
export const outOfStockActions = ["retry", "skip", "bill_anyway"] as const;
export const prepaidEnds = ["deliver", "stop"] as const;
export const foreignChargeActions = ["wait", "count", "ignore"] as const;
export const disputeActions = ["block", "ignore"] as const;

export const accounts = sqliteTable("accounts", {
  /** The number by which rows of this database name the account (db/columns.ts). */
  seq: integer().$type<AccountSeq>().primaryKey({ autoIncrement: true }),
  id: text().notNull(),
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
  /** Whether deliveries that are paid for are still made once their subscription is cancelled. */
  prepaid_on_end: text({ enum: prepaidEnds }).notNull(),
  /** Whether a cycle whose goods are out of stock is tried again later, skipped or billed anyway. */
  out_of_stock_action: text({ enum: outOfStockActions }).notNull(),
  /** JSON: the settings of the customer portal (portal-settings.ts). */
  portal: text().notNull(),
  /** Whether the store asks customers for another payment method when a payment was declined for good. */
  notify_payment_update: flag(),
  /** JSON: the currencies in which the connected store sells; null on the sandbox store. */
  store_currencies: text(),
  /**
   * The place of the account's rows. In the deployment's database the row of an account with an object is its entry in the
   * directory: id, shop and engine count, and the rest is what the object was begun with.
   */
  engine: text({ enum: engines }).notNull(),
  /** JSON: how far the account is on its way to the other engine (operator/move/state.ts), or why it is closed (closed.ts); null where it is not. */
  moving: text(),
  /** Whether a charge by somebody else at the store holds the cycle for a person, pays it, or counts for nothing. */
  on_foreign_charge: text({ enum: foreignChargeActions }).notNull(),
  /** Whether the connected store charges real money; null on the sandbox store. */
  store_is_live: integer().$type<0 | 1>(),
  /** JSON: the permissions that the connected store does not give the app; null on the sandbox store. */
  store_missing_scopes: text(),
  /** Whether customers are written to of each further failure of a payment, and not of the first alone. */
  notify_every_retry: flag(),
  /** JSON: the account's closed days in the order of their creation, kept by triggers (delivery/closed-days.ts); null without any. */
  closed_days: text(),
  /** Whether the operator has made the account for trying out: it may be connected to a store's test mode in production. */
  is_test: flag(),
  /** Whether a dispute of a payment keeps its subscription from being billed. */
  on_dispute: text({ enum: disputeActions }).notNull(),
  /** Whether nothing is billed without a complete delivery address. */
  require_address: flag(),
  /** The share in percent that staff with the role SUPPORT take off an order at most. */
  support_max_discount_percent: integer().notNull().default(20),
  /** The most that they have paid back of an order, in minor units; null for nothing. */
  support_max_refund: integer(),
});

export const apiKeys = sqliteTable("api_keys", {
  id: text().primaryKey(),
  account_seq: accountSeq(),
  name: text().notNull(),
  key_hash: text().notNull(),
  created_at: text().notNull(),
  last_used_at: instant(),
  revoked_at: instant(),
  /** The scopes that limit the key, divided by spaces (scopes.ts); null for everything. */
  scopes: text(),
  expires_at: instant(),
  /** Whether a change needs the preview that it was decided on. Nothing asks for it yet. */
  requires_preview: flag().default(0),
  /** The most that a call charges or pays back by itself, in minor units; null for any amount. Nothing asks for it yet. */
  max_amount: integer(),
});

/** One merchant store: the owner of everything a request can see. */
export type Account = typeof accounts.$inferSelect;
/** An account as another database has it, or a file: its number there means nothing here. */
export type ForeignAccount = Omit<Account, "seq">;
/** A key, which names its account by id: the object of an account is told of its keys by the directory. */
export type ApiKey = Omit<typeof apiKeys.$inferSelect, "account_seq"> & { account_id: string };
