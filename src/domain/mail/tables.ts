import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { portalLocales } from "../../base/accounts/portal-settings.ts";
import { accountSeq, flag, id, instant, stamps } from "../../base/db/columns.ts";
import { suppressedReasons } from "./facts/silence.ts";
import type { MailKind } from "./kinds.ts";

export const mailProviders = ["none", "log", "resend", "postmark", "smtp"] as const;
export type MailProvider = (typeof mailProviders)[number];

export const mailStatuses = ["PENDING", "SENT", "BOUNCED", "COMPLAINED", "SUPPRESSED", "FAILED"] as const;
export type MailStatus = (typeof mailStatuses)[number];

/**
 * Mails to customers: one row for each delivery of the account's mail endpoint, under the id of its event. A trigger inserts it with the
 * delivery. Real time.
 */
export const mails = sqliteTable(
  "mails",
  {
    account_seq: accountSeq(),
    id: id(),
    event_type: text().notNull(),
    profile_id: text(),
    /** The place of its event in the account's stream; null of a test. */
    sequence: integer(),
    /** To whom it was sent, or may have been; null before, and once the customer is erased. */
    recipient: text(),
    is_masked: flag(),
    subject: text(),
    status: text({ enum: mailStatuses }).notNull(),
    suppressed_reason: text({ enum: suppressedReasons }),
    last_error: text(),
    provider: text({ enum: mailProviders }),
    /** The provider's own id of the mail. */
    provider_id: text(),
    attempt_count: integer().notNull(),
    /** The number of times that somebody had it sent again: each is another mail to the provider. */
    resend_count: integer().notNull(),
    /** Since when the provider may have it: that of the first try whose outcome nobody knows. */
    unsettled_at: instant(),
    sent_at: instant(),
    created_at: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.id] })],
);

export type MailRow = typeof mails.$inferSelect;

/** A mail, with the records that its event names. */
export type Mail = MailRow & { subscription_id: string | null; order_id: string | null };

/** The newest mails that the provider `log` has rendered. Mails that sign somebody in are never here. */
export const mailContents = sqliteTable(
  "mail_contents",
  {
    account_seq: accountSeq(),
    mail_id: text().notNull(),
    html: text().notNull(),
    text: text().notNull(),
    created_at: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.mail_id] })],
);

/** The merchant's own words, in place of ours. */
export const mailTemplates = sqliteTable(
  "mail_templates",
  {
    account_seq: accountSeq(),
    kind: text().$type<MailKind>().notNull(),
    locale: text({ enum: portalLocales }).notNull(),
    subject: text().notNull(),
    intro: text().notNull(),
    closing: text().notNull(),
    ...stamps,
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.kind, t.locale] })],
);

export type MailTemplateRow = typeof mailTemplates.$inferSelect;
