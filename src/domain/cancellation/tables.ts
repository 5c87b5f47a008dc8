import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountSeq, flag, id, instant } from "../../base/db/columns.ts";

export const offerKinds = ["PAUSE", "SKIP", "DISCOUNT", "FREQUENCY", "SWAP"] as const;
export type OfferKind = (typeof offerKinds)[number];

export const caseStatuses = ["OPEN", "ACCEPTED", "CONFIRMED", "EXPIRED"] as const;
export type CaseStatus = (typeof caseStatuses)[number];

export const caseOutcomes = ["PENDING", "SAVED", "LOST"] as const;

export const groupings = ["reason", "offer"] as const;
export type CaseGrouping = (typeof groupings)[number];

/** The versions of what merchants offer to customers who are about to leave. None changes; the newest counts. */
export const cancellationFlows = sqliteTable(
  "cancellation_flows",
  {
    account_seq: accountSeq(),
    version: integer().notNull(),
    is_enabled: flag(),
    /** JSON: Offer[] (offers.ts), with amounts in major units: they become requests again when they are accepted. */
    offers: text().notNull(),
    cooldown_days: integer().notNull(),
    max_accepted: integer().notNull(),
    per: text({ enum: ["customer", "subscription"] }).notNull(),
    show_at_most: integer().notNull(),
    created_at: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.version] })],
);

/** Customers on their way out. A case that is OPEN after expires_at has expired. */
export const cancellationCases = sqliteTable(
  "cancellation_cases",
  {
    id: id(),
    account_seq: accountSeq(),
    subscription_id: text().notNull(),
    profile_id: text().notNull(),
    activation: integer().notNull(),
    /** The flow that its offers are of; none where the account had none. */
    flow_version: integer(),
    status: text({ enum: caseStatuses }).notNull(),
    cancellation_reason_id: text(),
    cancellation_reason_label: text(),
    note: text(),
    /** JSON: FrozenOffer[] (offers.ts). */
    offers: text().notNull(),
    /** The contents that the offers were worked out for (contentsOf of offers.ts). */
    contents: text().notNull(),
    currency_code: text().notNull(),
    /** The account's day on which it was opened. */
    opened_date: text().notNull(),
    expires_at: text().notNull(),
    accepted_offer_id: text(),
    accepted_kind: text({ enum: offerKinds }),
    accepted_at: instant(),
    /** The discount that was accepted. */
    discount_id: text(),
    /** The billing attempt that was under way when an offer was accepted: its charge proves nothing. */
    earlier_attempt_id: text(),
    confirmed_at: instant(),
    outcome: text({ enum: caseOutcomes }),
    outcome_at: instant(),
    /** Whether charges still count for it. */
    is_tracked: flag(),
    /** Minor units of currency_code: the discounts that charges really gave, and what these charges were. */
    cost: integer().notNull(),
    revenue_after: integer().notNull(),
    created_at: text().notNull(),
    updated_at: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.id] })],
);

/** The number of cases by the day on which they were opened, by reason and by offer, kept by triggers. */
export const retentionDays = sqliteTable(
  "retention_days",
  {
    account_seq: accountSeq(),
    grouping: text({ enum: groupings }).notNull(),
    day: text().notNull(),
    /** The id of the reason, empty for none, or of the offer. */
    group_key: text().notNull(),
    currency_code: text().notNull(),
    shown: integer().notNull(),
    accepted: integer().notNull(),
    saved: integer().notNull(),
    lost: integer().notNull(),
    cost: integer().notNull(),
    revenue_after: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.grouping, t.day, t.group_key, t.currency_code] })],
);

export type CancellationFlow = typeof cancellationFlows.$inferSelect;
export type CancellationCase = typeof cancellationCases.$inferSelect;
