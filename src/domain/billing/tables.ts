import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountSeq, flag, id, instant, stamps } from "../../base/db/columns.ts";
import type { CalendarDate } from "../../base/lib/time/calendar.ts";

export const attemptStatuses = [
  "QUEUED",
  "PROCESSING",
  "ACTION_REQUIRED",
  "REVIEW",
  "SUCCEEDED",
  "FAILED",
  "CANCELLED",
] as const;
export type AttemptStatus = (typeof attemptStatuses)[number];
export const openStatuses = ["QUEUED", "PROCESSING", "ACTION_REQUIRED", "REVIEW"] as const;

/** Why an attempt is under review; its subscription shows the code in billing_blocked_reason. */
export const reviewCodes = [
  "store_unreachable",
  "still_pending",
  "not_recorded",
  "currency_mismatch",
  "order_taken",
  "charged_by_others",
] as const;
export type ReviewCode = (typeof reviewCodes)[number];

export const attemptOrigins = ["SHIP_NOW", "RECURRING", "DUNNING", "RETRY"] as const;
export type AttemptOrigin = (typeof attemptOrigins)[number];

/** Amounts are minor units. created_at, updated_at, settled_at and open_since are the account's time, the rest real time. */
export const billingAttempts = sqliteTable("billing_attempts", {
  seq: integer().primaryKey(),
  id: id(),
  account_seq: accountSeq(),
  subscription_id: text().notNull(),
  /** The life of the subscription that it belongs to; cycles are counted anew in each. */
  activation: integer().notNull(),
  cycle: integer().notNull(),
  attempt_number: integer().notNull(),
  origin: text({ enum: attemptOrigins }).notNull(),
  status: text({ enum: attemptStatuses }).notNull(),
  store_key: text().notNull(),
  amount: integer().notNull(),
  currency_code: text().notNull(),
  /** JSON: ChargeSnapshot (snapshot.ts), its goods and amounts apart. Read it by `attemptColumns`, which have all of it. */
  snapshot: text().notNull(),
  /** The attempt whose snapshot has the charge's goods and amounts. */
  content_attempt_id: text(),
  /** A digest of the request, which distinguishes a repetition from another request. */
  request_hash: text(),
  /** The number of the latest claim, which guards what its holder writes. */
  claims: integer().notNull(),
  /** Claims since the store last answered, without those that it throttled: any of them may have had an effect. */
  unanswered: integer().notNull(),
  lease_until: instant(),
  next_action_at: instant(),
  requested_at: text().notNull(),
  first_sent_at: instant(),
  last_sent_at: instant(),
  store_reference: text(),
  next_action_url: text(),
  error_code: text(),
  error_message: text(),
  order_id: text(),
  settled_at: instant(),
  ...stamps,
  /** The store does not know the key, as it refused the charge or never got it: the next attempt at the cycle has its number and key. */
  is_refused: flag(),
  /** Since when the outcome is open; null before it is sent, while it waits for its customer, and while the store says it takes days. */
  open_since: instant(),
  /** Claims that do not count against it: it waited for its customer, takes days, or was throttled by the store. */
  uncounted_claims: integer().notNull(),
  /** Since when it waits for its customer's confirmation, by the account's time. */
  challenged_at: instant(),
  /** A switch of the payment method has started it: it counts against the hourly limit of what people cause. */
  is_switch: flag(),
  /** The store's id of the charge, noted before the store is asked for the money: it may not have been asked yet. */
  noted_reference: text(),
});

/** An attempt but for its number, which the database gives it. */
export type BillingAttempt = Omit<typeof billingAttempts.$inferSelect, "seq">;

/** The number of attempts that an account has, by status and trigger; kept by triggers of the database. */
export const billingAttemptCounts = sqliteTable(
  "billing_attempt_counts",
  {
    account_seq: accountSeq(),
    status: text().notNull(),
    origin: text().notNull(),
    count: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.status, t.origin] })],
);

/**
 * The attempt that answers a request to bill, and whether the request has started it. `following`, of a dry run, is the date of the delivery
 * after the one that is paid for; null for none.
 */
export type Billed = { attempt: BillingAttempt; isNew: boolean; following?: CalendarDate | null };

/**
 * When an account's attempts are next compared with the charges of its store, since when charges are to be compared and disputes to be
 * looked at; and when its next forecast of goods is taken.
 */
export const reconciliations = sqliteTable("reconciliations", {
  account_seq: accountSeq().primaryKey(),
  next_at: text().notNull(),
  since: text().notNull(),
  disputes_since: text().notNull(),
  next_forecast_at: text().notNull(),
});
