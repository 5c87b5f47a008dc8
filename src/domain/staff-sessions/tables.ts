import { primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountSeq, id } from "../../base/db/columns.ts";

const common = {
  id: id(),
  account_seq: accountSeq(),
  staff_id: text().notNull(),
  /** SHA-256 of the secret in the link or cookie. */
  token_hash: text().notNull(),
  created_at: text().notNull(),
  expires_at: text().notNull(),
};

export const staffLinks = sqliteTable(
  "staff_links",
  {
    ...common,
    /** The session that the link has become; null while it can be used. */
    session_id: text(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.id] })],
);

export const staffSessions = sqliteTable(
  "staff_sessions",
  {
    ...common,
    /** When it was last used, to ten minutes. */
    seen_at: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.id] })],
);

export type StaffSession = typeof staffSessions.$inferSelect;
