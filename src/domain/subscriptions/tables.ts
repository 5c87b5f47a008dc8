import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountSeq, id, instant, stamps } from "../../base/db/columns.ts";
import { intervalUnits } from "../../base/lib/time/intervals.ts";
import { contractStatuses } from "../../stores/port/contracts.ts";

export const subscriptionStatuses = ["ACTIVE", "PAUSED", "CANCELLED", "EXPIRED", "PAYMENT_FAILED"] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

export const reminderStatuses = ["NONE", "DUE", "SENT"] as const;
export type ReminderStatus = (typeof reminderStatuses)[number];

/** Dates are calendar dates in the account's time zone, amounts minor units of currency_code. */
export const subscriptions = sqliteTable("subscriptions", {
  seq: integer().primaryKey(),
  id: id(),
  account_seq: accountSeq(),
  revision: integer().notNull(),
  number: integer().notNull(),
  profile_id: text().notNull(),
  entity_id: text(),
  entity_label: text(),
  status: text({ enum: subscriptionStatuses }).notNull(),
  currency_code: text().notNull(),
  billing_interval: text({ enum: intervalUnits }).notNull(),
  billing_interval_count: integer().notNull(),
  delivery_interval: text({ enum: intervalUnits }).notNull(),
  delivery_interval_count: integer().notNull(),
  /** The n-th delivery is anchor_date plus n intervals (cadence.ts); next_index is the n of the next one. */
  anchor_date: text().notNull(),
  /** The day of the month that the schedule keeps, where the month of anchor_date is too short for it (anchor.ts); else null. */
  anchor_day: integer(),
  next_index: integer().notNull(),
  /** The n of the next delivery that is billed: those before it are paid for, and still owed. */
  next_billed_index: integer().notNull(),
  /** Counts the moves of the dates. A skip can be undone while this is what the skip set it to. */
  schedule_revision: integer().notNull(),
  /** Counts its activations: cycles count from 1 after each. */
  activation: integer().notNull(),
  current_billing_cycle: integer().notNull(),
  next_billing_date: text(),
  next_delivery_date: text(),
  next_production_date: text(),
  /** The next delivery by the schedule alone, where closed days have moved one of its dates; else null (dates/open-days/open-dates.ts). */
  scheduled_index: integer(),
  scheduled_delivery_date: text(),
  min_cycles: integer(),
  max_cycles: integer(),
  /** JSON: Line[] and Discount[] (amounts.ts). */
  lines: text().notNull(),
  discounts: text().notNull(),
  subtotal: integer().notNull(),
  discount_amount: integer().notNull(),
  shipping_amount: integer().notNull(),
  tax_amount: integer().notNull(),
  total: integer().notNull(),
  total_revenue: integer().notNull(),
  payment_method_id: text(),
  delivery_slot_id: text(),
  delivery_address: text(),
  delivery_instructions: text(),
  note: text(),
  custom_attributes: text(),
  store_contract_id: integer(),
  /** The contract of the life before, which a reactivation has unlinked: it ends before the next one is linked, and is nobody else's. */
  former_contract_id: integer(),
  store_origin_order_id: text(),
  migration_source_ref: text(),
  last_order_id: text(),
  dunning_episode_id: text(),
  last_payment_reminder_sent_at: instant(),
  last_payment_reminder_billing_date: text(),
  paused_at: instant(),
  pause_until: text(),
  pause_reason: text(),
  pause_reason_id: text(),
  restart_billing_date: text(),
  cancelled_at: instant(),
  cancellation_reason: text(),
  cancellation_reason_id: text(),
  search_text: text().notNull(),
  ...stamps,
  /** The billing attempt in progress. */
  open_attempt_id: text(),
  /** The number of days before a charge at which the customer is reminded, where a rule of the account's mails says so; a trigger sets it. */
  remind_days: integer(),
  /** Since when a dispute of one of its payments keeps it from being billed, by the account's time. */
  disputed_at: instant(),
  /** Why the store refuses the contract, in words for people. */
  store_sync_error: text(),
  /** The number of deliveries one billing pays for, as in the plan; a change of the frequency keeps it. */
  deliveries_per_billing: integer().notNull(),
  /** The error code of the attempt under review, or the reason why billing waits. */
  billing_blocked_reason: text(),
  /** Since when billing waits, the number of tries since then, and the time of the next one, by the account's clock. */
  billing_waiting_since: instant(),
  billing_wait_count: integer().notNull(),
  billing_retry_at: instant(),
  /** Nothing is charged before this day, whoever asks (no-charge-before.ts). */
  no_charge_before: text(),
  /** The day on which it ends by itself: nothing is charged from then on (bounds/agreed-end.ts). */
  ends_on: text(),
  /** The first subscription of the request that created this one, where they have a migration_source_ref (source-refs.ts). */
  source_group_id: text(),
  /** The last cycle that is charged, with which it ends by itself. */
  ends_after_cycle: integer(),
});

/**
 * The state of each contract's sync with a store that keeps contracts. Triggers set next_action_at and count the version with every
 * change of a subscription. silent_status is a status that was sent without an answer; it may arrive until silent_until.
 */
export const contractSyncs = sqliteTable(
  "contract_syncs",
  {
    account_seq: accountSeq(),
    subscription_id: text().notNull(),
    next_action_at: instant(),
    tries: integer().notNull(),
    version: integer().notNull(),
    agreed_status: text({ enum: contractStatuses }),
    silent_until: instant(),
    silent_status: text({ enum: contractStatuses }),
    /** The payment method by the store's id when both last agreed; none since a change here, which goes first. */
    agreed_method: text(),
    former_method: text(),
    method_changed_at: instant(),
    /** A contract that was cancelled since then is made anew: the app had been uninstalled, or a cancellation was undone. Null once both agree. */
    renewed_since: instant(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.subscription_id] })],
);

/** The number of subscriptions for each combination of list filters and each interval of deliveries, maintained by triggers. */
export const subscriptionCounts = sqliteTable(
  "subscription_counts",
  {
    account_seq: accountSeq(),
    status: text().notNull(),
    failed_payment: integer().notNull(),
    delivery_interval: text().notNull(),
    delivery_interval_count: integer().notNull(),
    count: integer().notNull(),
  },
  (t) => [
    primaryKey({
      columns: [t.account_seq, t.status, t.failed_payment, t.delivery_interval, t.delivery_interval_count],
    }),
  ],
);

/** The plans and variants of each subscription's lines, maintained by triggers. */
export const subscriptionContents = sqliteTable(
  "subscription_contents",
  {
    account_seq: accountSeq(),
    kind: text({ enum: ["plan", "variant"] }).notNull(),
    value: text().notNull(),
    subscription_id: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.kind, t.value, t.subscription_id] })],
);

export const subscriptionSkips = sqliteTable(
  "subscription_skips",
  {
    id: id(),
    account_seq: accountSeq(),
    subscription_id: text().notNull(),
    cycle: integer().notNull(),
    /** By how many weeks the dates were moved; 0 where deliveries fell away instead. */
    skip_weeks: integer().notNull(),
    /** The number of deliveries that fell away; none where the dates were moved by weeks. */
    deliveries: integer(),
    /** The cycle that was skipped at the store, as the store counts; none where it was skipped here. */
    store_cycle: integer(),
    reason: text(),
    skip_reason_id: text(),
    skip_reason_label: text(),
    /** The label in other languages, as JSON; null where there was it alone. */
    skip_reason_labels: text(),
    previous_index: integer().notNull(),
    previous_anchor_date: text().notNull(),
    previous_anchor_day: integer(),
    previous_billing_date: text(),
    previous_delivery_date: text(),
    previous_production_date: text(),
    previous_scheduled_index: integer(),
    previous_scheduled_delivery_date: text(),
    /** The subscription's schedule_revision after this skip. */
    schedule_revision: integer().notNull(),
    undone_at: instant(),
    created_at: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.subscription_id, t.created_at, t.id] })],
);

/** A subscription before a change that can be undone, by the entry of the change (undo/image.ts). */
export const undoImages = sqliteTable(
  "undo_images",
  {
    account_seq: accountSeq(),
    subscription_id: text().notNull(),
    entry_id: text().notNull(),
    /** The life and the cycle of the subscription at the change. */
    activation: integer().notNull(),
    cycle: integer().notNull(),
    /** JSON: ImageChanges. */
    changes: text().notNull(),
    /** JSON: the rows of other tables that the change has changed, before and after it; null for none. */
    related_before: text(),
    related_after: text(),
    undone_at: instant(),
    created_at: text().notNull(),
    /** When it is deleted, by real time; null for one of a job, which goes with the job's row. */
    prune_at: instant(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.subscription_id, t.entry_id] })],
);

export type UndoImage = typeof undoImages.$inferSelect;
export type ContractSync = typeof contractSyncs.$inferSelect;
export type Subscription = typeof subscriptions.$inferSelect;
export type Skip = typeof subscriptionSkips.$inferSelect;
