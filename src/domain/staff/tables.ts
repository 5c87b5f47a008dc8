import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { staffRoles } from "../../base/accounts/roles.ts";
import { accountSeq, id, instant, stamps } from "../../base/db/columns.ts";

export const staffStatuses = ["INVITED", "ACTIVE", "SUSPENDED"] as const;

/** The people of a merchant who sign in to the console. A removed member has no row. */
export const staff = sqliteTable(
  "staff",
  {
    id: id(),
    account_seq: accountSeq(),
    email: text().notNull(),
    /** The e-mail address as it is compared. */
    email_folded: text().notNull(),
    name: text().notNull(),
    role: text({ enum: staffRoles }).notNull(),
    status: text({ enum: staffStatuses }).notNull(),
    /** Real time, written at most each ten minutes. */
    last_seen_at: instant(),
    ...stamps,
    revision: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.id] })],
);

export type StaffMember = typeof staff.$inferSelect;
