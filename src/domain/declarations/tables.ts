import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { portalLocales } from "../../base/accounts/portal-settings.ts";
import { accountSeq, flag, id, instant, stamps } from "../../base/db/columns.ts";

export const declarationKinds = ["cancellation", "withdrawal"] as const;
export type DeclarationKind = (typeof declarationKinds)[number];

export const declarationStatuses = ["TO_DO", "CARRIED_OUT", "ANSWERED", "TAKEN_BACK"] as const;
export type DeclarationStatus = (typeof declarationStatuses)[number];

/** Cancellations and withdrawals that were declared without signing in. Each is kept for three years. */
export const declarations = sqliteTable(
  "declarations",
  {
    id: id(),
    account_seq: accountSeq(),
    revision: integer().notNull(),
    kind: text({ enum: declarationKinds }).notNull(),
    status: text({ enum: declarationStatuses }).notNull(),
    email: text().notNull(),
    email_folded: text().notNull(),
    name: text(),
    /** The number of the subscription or order as it was typed; null for none. */
    number: text(),
    /** Its letters and digits alone, as it is compared; empty for none. */
    number_folded: text().notNull(),
    /** The day from which on its sender wants to leave; null for as soon as possible. */
    wants_on: text(),
    is_for_cause: flag(),
    reason: text(),
    /** The language of the page. */
    locale: text({ enum: portalLocales }).notNull(),
    received_at: text().notNull(),
    /** Real time. */
    recorded_at: text().notNull(),
    /** JSON: string[]. */
    matched_subscription_ids: text().notNull(),
    profile_id: text(),
    /** The day on which the subscription ends. */
    effective_on: text(),
    /** JSON: CarriedOut (carried-out.ts); null unless the service itself has carried it out. */
    carried_out: text(),
    note: text(),
    /** When its job is due, by real time; null once it has been done. */
    next_action_at: instant(),
    tries: integer().notNull(),
    lease_until: instant(),
    prune_at: text().notNull(),
    ...stamps,
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.id] })],
);

export type Declaration = typeof declarations.$inferSelect;

/** The visits of the last hour, by the HMAC of the address that they come from. */
export const declarationVisits = sqliteTable(
  "declaration_visits",
  {
    account_seq: accountSeq(),
    address_hmac: text().notNull(),
    visit_id: text().notNull(),
    created_at: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.address_hmac, t.visit_id] })],
);
