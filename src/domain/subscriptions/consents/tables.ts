import { primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountSeq, id } from "../../../base/db/columns.ts";

export const consentChannels = ["page", "phone", "import", "other"] as const;

/** The terms that a customer has agreed to as a subscription was created. */
export const consents = sqliteTable(
  "consents",
  {
    id: id(),
    account_seq: accountSeq(),
    subscription_id: text().notNull(),
    text: text().notNull(),
    /** The SHA-256 of the text, in hexadecimal digits. */
    sha256: text().notNull(),
    channel: text({ enum: consentChannels }).notNull(),
    source: text(),
    agreed_at: text().notNull(),
    prune_at: text().notNull(),
    created_at: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.id] })],
);

export type Consent = typeof consents.$inferSelect;
