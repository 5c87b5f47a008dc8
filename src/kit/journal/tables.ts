import { type SQL, sql } from "drizzle-orm";
import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountSeq, id, instant } from "../../base/db/columns.ts";

/**
 * The records that entries of the activity feed are about. Entries about accounts and keys are never read as such
 * (accounts/history.ts).
 */
export const loggableTypes = ["subscription", "order"] as const;
export type LoggableType = (typeof loggableTypes)[number];

/** The records that events are about. Entries that the activity feed does not show are in the stream of events only. */
export const subjectTypes = [
  ...loggableTypes,
  "profile",
  "declaration",
  "account",
  "api_key",
  "job",
  "staff",
] as const;
export type SubjectType = (typeof subjectTypes)[number];

const storedColumns = {
  account_seq: accountSeq(),
  description: text(),
  changes: text(),
  metadata: text(),
  actor_type: text({ enum: ["customer", "admin", "api", "system"] }),
  actor_name: text(),
  loggable_type: text({ enum: subjectTypes }).notNull(),
  loggable_id: text().notNull(),
  profile_id: text(),
  /** The type of the event (event-types.ts). */
  type: text().notNull(),
  /** The event's place in the account's stream. The database sets it. */
  sequence: integer().notNull(),
  /** When the entry was written, in real time, where that is not created_at. Its deliveries are due from then on. */
  recorded_at: instant(),
};

export const entryColumns = {
  ...storedColumns,
  id: id(),
  action: text().notNull(),
  subscription_id: text(),
  order_id: text(),
  created_at: text().notNull(),
};

/** Columns of which the database makes others (migrations/0001_schema.sql). */
const keptColumns = {
  kept_id: text().notNull(),
  own_action: text(),
  other_subscription_id: text(),
  other_order_id: text(),
  /** created_at, as the indexes have it: a third of the text's length. */
  created_ms: integer().notNull(),
};

const made = sql`NULL`;

/** The history. New entries are inserted by `newEntries` (db/new-entries.ts). */
export const activityLogs = sqliteTable(
  "activity_logs",
  {
    ...keptColumns,
    ...storedColumns,
    id: id().generatedAlwaysAs(made),
    action: text().notNull().generatedAlwaysAs(made),
    subscription_id: text().generatedAlwaysAs(made),
    order_id: text().generatedAlwaysAs(made),
    created_at: text().notNull().generatedAlwaysAs(made),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.sequence] })],
);

/**
 * The history by one of its indexes. It is named because SQLite would take the table itself, whose key begins with the account as the
 * indexes do: without statistics it takes an account's rows for few.
 */
export function activityLogsBy(index: "record" | "profile"): SQL {
  return sql`${activityLogs} INDEXED BY ${sql.raw(`activity_logs_by_${index}`)}`;
}

export type ActivityLog = Omit<typeof activityLogs.$inferSelect, keyof typeof keptColumns>;

/** SQL of an instant as `created_ms` has it. */
export function msOf(instant: string): string {
  return `(unixepoch(substr(${instant}, 1, 19)) * 1000 + substr(${instant}, 21, 3))`;
}

/** An entry without its place in the stream. */
export type NewEntry = Omit<ActivityLog, "sequence">;

/** The number that the next one in an account's stream has to be above, besides the numbers of its entries. */
export const eventSequences = sqliteTable(
  "event_sequences",
  { account_seq: accountSeq(), last: integer().notNull() },
  (t) => [primaryKey({ columns: [t.account_seq] })],
);

/** The stream is counted in blocks of so many places, each of them once an entry stands behind it (migrations/0001_schema.sql). */
export const placesInBlock = 32;

/**
 * The number of entries by UTC day, and of each of its quarters of an hour as JSON: `{"13:45": 2}`. A trigger maintains it; the
 * entries of the last block are not in it yet.
 */
export const activityCounts = sqliteTable(
  "activity_counts",
  {
    account_seq: accountSeq(),
    day: text().notNull(),
    count: integer().notNull(),
    quarters: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.day] })],
);

/** The distinct names of integration actions and of staff. A trigger maintains them. */
export const activityNames = sqliteTable(
  "activity_names",
  { account_seq: accountSeq(), kind: text({ enum: ["action", "actor"] }).notNull(), name: text().notNull() },
  (t) => [primaryKey({ columns: [t.account_seq, t.kind, t.name] })],
);
