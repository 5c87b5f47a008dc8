import { primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountSeq } from "../../base/db/columns.ts";

/** The account of an object, once it was erased. */
export const erasedAccounts = sqliteTable("erased_accounts", {
  id: text().primaryKey(),
  erased_at: text().notNull(),
});

/** Customers whose data is to be erased, until it is. */
export const profileErasures = sqliteTable(
  "profile_erasures",
  {
    account_seq: accountSeq(),
    profile_id: text().notNull(),
    requested_at: text().notNull(),
    next_action_at: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.profile_id] })],
);

export type ProfileErasure = typeof profileErasures.$inferSelect;
