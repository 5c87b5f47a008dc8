import { and, eq, getTableName, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Ctx } from "../context.ts";
import type { Result, Statement } from "../db/client.ts";
import { ConstraintError, commit } from "../db/commit.ts";
import { guard, StaleError } from "../db/decide.ts";
import { build, statement } from "../db/statement.ts";
import { type Change, diff } from "../lib/diff.ts";
import type { SystemAction } from "./actions.ts";
import { activityLogs, type LoggableType } from "./tables.ts";

/** A table whose rows have a history: each change of a row counts its revision up by one. */
export type JournalTable = SQLiteTable & {
  id: SQLiteColumn;
  account_id: SQLiteColumn;
  revision: SQLiteColumn;
  updated_at: SQLiteColumn;
};
export type JournalRow = { id: string; account_id: string; revision: number };

/** What an entry is about: the record itself, and the ids under which its entry is found. */
export type Subject = {
  type: LoggableType;
  table: JournalTable;
  row: JournalRow;
  subscription_id: string | null;
  order_id: string | null;
  profile_id: string | null;
};

export type Entry = {
  action: SystemAction;
  subject: Subject;
  description?: string;
  metadata?: Record<string, unknown>;
  /** What changed, as people should read it; else the columns that differ. */
  changes?: Record<string, Change>;
};

/** The id of the record if it is the account's and still at the revision it was read at, else NULL. */
const unchangedId = ({ account }: Ctx, { table, row }: Subject) =>
  sql<string>`(SELECT ${table.id} FROM ${table} WHERE ${table.account_id} = ${account.id}
    AND ${table.id} = ${row.id} AND ${table.revision} = ${row.revision})`;

/** JSON, or null where there is nothing to say. */
const serializeFields = (fields: Record<string, unknown> = {}): string | null =>
  Object.keys(fields).length > 0 ? JSON.stringify(fields) : null;

/** The row of an entry. Its loggable_id is the guard: NULL where the record is not the account's or has moved. */
const entryStatement = (ctx: Ctx, entry: Entry): Statement => {
  const { subject } = entry;
  return statement(
    build.insert(activityLogs).values({
      id: ctx.newId(),
      account_id: ctx.account.id,
      action: entry.action,
      description: entry.description ?? null,
      changes: serializeFields(entry.changes),
      metadata: serializeFields(entry.metadata),
      actor_type: ctx.actor.type,
      actor_name: ctx.actor.name,
      loggable_type: subject.type,
      loggable_id: unchangedId(ctx, subject),
      subscription_id: subject.subscription_id,
      order_id: subject.order_id,
      profile_id: subject.profile_id,
      created_at: ctx.now,
    }),
  );
};

/**
 * The record itself has moved, one that it was to refer to came or went, or somebody else has begun to bill it, or
 * recorded the same order of the store's, or taken over the same contract.
 */
const isConflict = ({ kind, on }: ConstraintError): boolean =>
  on === `${getTableName(activityLogs)}.loggable_id` ||
  kind === "foreign_key" ||
  on === "guard" ||
  (kind === "unique" && /^(billing_attempts|orders)\.|\.store_contract_id$/.test(on));

/** Commits a batch that has entries in it. Throws StaleError where the guard of one refused it. */
const commitEntry = async (ctx: Ctx, statements: Statement[]): Promise<Result<unknown>[]> => {
  try {
    return await commit(ctx, statements);
  } catch (error) {
    if (error instanceof ConstraintError && isConflict(error)) throw new StaleError();
    throw error;
  }
};

/** Sets columns of a record, and counts its revision up. */
const columnsStatement = (ctx: Ctx, { table, row }: Subject, after: Record<string, unknown>): Statement =>
  statement(
    build
      .update(table)
      .set({ ...after, revision: row.revision + 1, updated_at: ctx.now })
      .where(and(eq(table.account_id, ctx.account.id), eq(table.id, row.id))),
  );

/** The entry of a change, and the columns it sets on its record. */
export type RecordChange = Entry & { after: Record<string, unknown> };

/**
 * One record's change: its entry, and `after` set on it with the revision counted up. The entry stands first and is
 * the guard: a record that has moved fails the whole batch.
 */
const changeStatements = (ctx: Ctx, entry: RecordChange, ownEntries: Entry[] = []): Statement[] => {
  const { subject, after } = entry;
  return [
    entryStatement(ctx, { ...entry, changes: entry.changes ?? diff(subject.row, after) }),
    ...ownEntries.map((other) => entryStatement(ctx, other)),
    columnsStatement(ctx, subject, after),
  ];
};

/** What else belongs to a change: writes, further entries of the record, entries of records that the writes make. */
export type BatchExtras = { writes?: Statement[]; ownEntries?: Entry[]; relatedEntries?: Entry[] };

/**
 * Changes a record, and whatever else belongs to the change, in one batch. Call it inside `decide`, which reads and
 * decides anew where the record has moved.
 */
export const change = (
  ctx: Ctx,
  entry: RecordChange,
  { writes = [], ownEntries = [], relatedEntries = [] }: BatchExtras = {},
): Promise<Result<unknown>[]> =>
  commitEntry(ctx, [
    ...changeStatements(ctx, entry, ownEntries),
    ...writes,
    ...relatedEntries.map((other) => entryStatement(ctx, other)),
  ]);

/**
 * Changes several records, each with further entries of its own, in one batch, all or none, as `change` does one; and
 * others of which these entries tell.
 */
export const changeEach = (
  ctx: Ctx,
  changes: (RecordChange & Pick<BatchExtras, "ownEntries">)[],
  writes: Statement[] = [],
  updates: RecordUpdate[] = [],
): Promise<Result<unknown>[]> =>
  commitEntry(ctx, [
    ...updates.flatMap((update) => updateStatements(ctx, update)),
    ...changes.flatMap(({ ownEntries, ...entry }) => changeStatements(ctx, entry, ownEntries)),
    ...writes,
  ]);

/** Columns to set on a record, of which the entry of another record of the same event tells. */
export type RecordUpdate = Pick<RecordChange, "subject" | "after">;

/** One record's change without an entry of its own; a record that has moved fails the whole batch all the same. */
const updateStatements = (ctx: Ctx, { subject, after }: RecordUpdate): Statement[] => {
  const { table, row } = subject;
  const moved = `NOT EXISTS (SELECT 1 FROM ${getTableName(table)} WHERE account_id = ? AND id = ? AND revision = ?)`;
  return [guard(moved, [ctx.account.id, row.id, row.revision]), columnsStatement(ctx, subject, after)];
};

/**
 * Records that something came to be: what changes with it of other records, the writes that make it, then its entries, in
 * one batch.
 */
export const created = (
  ctx: Ctx,
  entries: Entry[],
  writes: Statement[],
  updates: RecordUpdate[] = [],
): Promise<Result<unknown>[]> =>
  commitEntry(ctx, [
    ...updates.flatMap((update) => updateStatements(ctx, update)),
    ...writes,
    ...entries.map((entry) => entryStatement(ctx, entry)),
  ]);
