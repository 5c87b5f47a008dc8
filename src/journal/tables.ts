import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountId, id } from "../db/columns.ts";

/** What entries of the activity feed are about. Entries about accounts and keys are never read as such (accounts/history.ts). */
export const loggableTypes = ["subscription", "order"] as const;
export type LoggableType = (typeof loggableTypes)[number];

export const activityLogs = sqliteTable(
  "activity_logs",
  {
    id: id(),
    account_id: accountId(),
    action: text().notNull(),
    description: text(),
    changes: text(),
    metadata: text(),
    actor_type: text({ enum: ["customer", "admin", "api", "system"] }),
    actor_name: text(),
    loggable_type: text({ enum: loggableTypes }).notNull(),
    loggable_id: text().notNull(),
    subscription_id: text(),
    order_id: text(),
    profile_id: text(),
    created_at: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.account_id, t.id] })],
);

export type ActivityLog = typeof activityLogs.$inferSelect;

/** The number of entries by UTC day ("D2026-11-20") and quarter of an hour ("Q2026-11-20T13:45"). A trigger maintains it. */
export const activityCounts = sqliteTable(
  "activity_counts",
  { account_id: accountId(), bucket: text().notNull(), count: integer().notNull() },
  (t) => [primaryKey({ columns: [t.account_id, t.bucket] })],
);

/** The distinct names of integration actions and of staff. A trigger maintains them. */
export const activityNames = sqliteTable(
  "activity_names",
  { account_id: accountId(), kind: text({ enum: ["action", "actor"] }).notNull(), name: text().notNull() },
  (t) => [primaryKey({ columns: [t.account_id, t.kind, t.name] })],
);
