import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { accountSeq, flag, id, instant, stamps } from "../../base/db/columns.ts";
import type { ActorType } from "../../kit/context.ts";

export const jobKinds = ["IMPORT", "BULK", "FORECAST"] as const;
export type JobKind = (typeof jobKinds)[number];

export const jobStatuses = [
  "STAGING",
  "CHECKING",
  "READY",
  "RUNNING",
  "PAUSED",
  "DONE",
  "CANCELLED",
  "UNDOING",
  "UNDONE",
  "FAILED",
] as const;
export type JobStatus = (typeof jobStatuses)[number];

/** The statuses in which messages of the queue work on a job. */
export const workingStatuses = ["STAGING", "CHECKING", "RUNNING", "UNDOING"] as const;
export type WorkingStatus = (typeof workingStatuses)[number];

export const jobRowStatuses = ["PENDING", "OK", "FAILED", "SKIPPED", "UNDONE"] as const;

/** Work on many records that a merchant, or the night, has asked for. Messages of the queue do it page by page (work.ts). */
export const jobs = sqliteTable(
  "jobs",
  {
    id: id(),
    account_seq: accountSeq(),
    revision: integer().notNull(),
    kind: text({ enum: jobKinds }).notNull(),
    status: text({ enum: jobStatuses }).notNull(),
    /** JSON of its kind: what was asked for, how far it has got, and what came of it. */
    input: text().notNull(),
    progress: text().notNull(),
    summary: text().notNull(),
    /** Counts of rows. */
    total: integer().notNull(),
    done: integer().notNull(),
    failed: integer().notNull(),
    skipped: integer().notNull(),
    undone: integer().notNull(),
    /** Why it has failed, or what it waits for, in words for people. */
    error: text(),
    /** The name of who asked for it; null for the service itself. */
    created_by: text(),
    created_by_type: text().$type<ActorType>().notNull(),
    /** The key by which it was last set to work: without it the job stops. Null where none was. */
    made_by_key: text(),
    /** The scopes that its work needs, divided by spaces. */
    scopes: text().notNull(),
    /** Whether its rows are dry runs, so that nothing else changes. */
    is_dry_run: flag(),
    /** Whether it changes subscriptions, or is about to: one job of an account does. */
    is_changing: flag(),
    /** The status that it goes back to once it is resumed, where it was paused or has failed. */
    resumes_as: text({ enum: jobStatuses }),
    ...stamps,
    started_at: instant(),
    finished_at: instant(),
    /** Until when a message is working on it, and when it is next looked at: real time. */
    lease_until: instant(),
    next_action_at: instant(),
    /** Tries at its current page, that which is under way included. */
    tries: integer().notNull(),
    /** Since when no page of it came to an end, as its store or the database was out of reach; when it is deleted: real time. */
    waiting_since: instant(),
    prune_at: instant(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.id] })],
);

export const jobRows = sqliteTable(
  "job_rows",
  {
    account_seq: accountSeq(),
    job_id: text().notNull(),
    n: integer().notNull(),
    key: text().notNull(),
    status: text({ enum: jobRowStatuses }).notNull(),
    record_id: text(),
    /** JSON: an array of `{path, message}`, and an object of the job's kind. */
    errors: text().notNull(),
    summary: text().notNull(),
    /** JSON of the job's kind: what the row asks for, and what is needed to take it back, or, of a dry run, what it has decided. */
    input: text(),
    undo: text(),
  },
  (t) => [primaryKey({ columns: [t.account_seq, t.job_id, t.n] })],
);

export type MerchantJob = typeof jobs.$inferSelect;
export type JobRow = typeof jobRows.$inferSelect;
