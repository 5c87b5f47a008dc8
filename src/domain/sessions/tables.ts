import { primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { portalLocales } from "../../base/accounts/portal-settings.ts";
import { accountSeq, id } from "../../base/db/columns.ts";

const common = {
  id: id(),
  account_seq: accountSeq(),
  profile_id: text().notNull(),
  /** SHA-256 of the secret in the link or cookie. */
  token_hash: text().notNull(),
  /** The address that the portal leads back to. */
  return_url: text(),
  locale: text({ enum: portalLocales }),
  created_at: text().notNull(),
  expires_at: text().notNull(),
  /** The key that made the link, which link and session end with; null where the customer asked for it. */
  made_by_key: text(),
  /**
   * The one who acts as the customer in the session, if one does: the id of a member of staff, or the name in an admin's token that was sent with a
   * key; and the profile that they act for.
   */
  made_by: text(),
  on_behalf_of: text(),
};

export const portalLinks = sqliteTable(
  "portal_links",
  {
    ...common,
    /** The session that the link has become; null while it can be used. */
    session_id: text(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.id] })],
);

export const portalSessions = sqliteTable("portal_sessions", common, (t) => [
  primaryKey({ columns: [t.account_seq, t.id] }),
]);

export type PortalSession = typeof portalSessions.$inferSelect;
