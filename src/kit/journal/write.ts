import { and, eq, getTableName, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { AccountSeq } from "../../base/db/columns.ts";
import { ConstraintError, commit } from "../../base/db/commit.ts";
import { guard } from "../../base/db/guard.ts";
import { newEntries } from "../../base/db/new-entries.ts";
import type { Result, Statement } from "../../base/db/port.ts";
import { StaleError } from "../../base/db/retry-on-conflict.ts";
import { updateRow } from "../../base/db/row-writes.ts";
import { build, type Params, prepare } from "../../base/db/statement.ts";
import { eventTypes, type SystemAction } from "../../base/event-types.ts";
import { deliverEventJob } from "../../base/job.ts";
import { diff, type FieldChange } from "../../base/lib/diff.ts";
import { eventDeliveries, mostLeased } from "../../domain/webhook-endpoints/tables.ts";
import type { Ctx } from "../context.ts";
import { selectEntry } from "./by-id.ts";
import { activityLogs, type NewEntry, type SubjectType } from "./tables.ts";

/** A table whose rows have a history. Each change of a row increments its revision. */
type JournalTable = SQLiteTable & {
  id: SQLiteColumn;
  account_seq: SQLiteColumn;
  revision: SQLiteColumn;
  updated_at: SQLiteColumn;
};
type JournalRow = { id: string; account_seq: AccountSeq; revision: number };

/** The record that an entry is about, and the ids under which the entry is found. */
export type Subject = {
  type: SubjectType;
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
  /** The changes in the form that people read. By default the columns that differ. */
  changes?: Record<string, FieldChange>;
};

/** The entry of a change, and the columns it sets on its record. */
export type RecordChange = Entry & { after: Record<string, unknown> };

/** The rest of a change: writes, more entries of the record, entries of records that the writes create. */
type BatchExtras = { writes?: Statement[]; ownEntries?: Entry[]; relatedEntries?: Entry[] };

/** Columns to set on a record that has no entry: the entry of another record describes the same event. */
export type RecordUpdate = Pick<RecordChange, "subject" | "after">;

/**
 * Changes a record, with everything that belongs to the change, in one batch. Call it inside `decide`, which reads and decides
 * again if the record has changed meanwhile.
 */
export function change(ctx: Ctx, entry: RecordChange, extras: BatchExtras = {}): Promise<Result<unknown>[]> {
  return commitStatements(ctx, changeStatements(ctx, entry, extras));
}

/** The statements of `change`, in its order, to be committed by `commitStatements`. */
export function changeStatements(
  ctx: Ctx,
  entry: RecordChange,
  { writes = [], ownEntries = [], relatedEntries = [] }: BatchExtras = {},
): [EntryStatement, ...Statement[]] {
  return [
    ...recordStatements(ctx, entry, ownEntries),
    ...writes,
    ...relatedEntries.map((other) => entryStatement(ctx, other)),
  ];
}

/**
 * Changes several records in one batch, all or none, as `change` does one. `updates` are columns of other records, which these
 * entries describe.
 */
export function changeEach(
  ctx: Ctx,
  changes: (RecordChange & Pick<BatchExtras, "ownEntries">)[],
  writes: Statement[] = [],
  updates: RecordUpdate[] = [],
): Promise<Result<unknown>[]> {
  return commitStatements(ctx, [
    ...updates.flatMap((update) => updateStatements(ctx, update)),
    ...changes.flatMap(({ ownEntries, ...entry }) => recordStatements(ctx, entry, ownEntries)),
    ...writes,
  ]);
}

/** Creates records in one batch: updates of other records, the writes that create, then the entries of the new records. */
export function createRecord(
  ctx: Ctx,
  entries: Entry[],
  writes: Statement[],
  updates: RecordUpdate[] = [],
): Promise<Result<unknown>[]> {
  return commitStatements(ctx, creationStatements(ctx, entries, writes, updates));
}

/** The statements of `createRecord`, in its order, to be committed by `commitStatements`. */
export function creationStatements(
  ctx: Ctx,
  entries: Entry[],
  writes: Statement[],
  updates: RecordUpdate[] = [],
): Statement[] {
  return [
    ...updates.flatMap((update) => updateStatements(ctx, update)),
    ...writes,
    ...entries.map((entry) => entryStatement(ctx, entry)),
  ];
}

/**
 * Inserts an entry. Its loggable_id is the guard: NULL if the record belongs to another account or has changed. The entry is also the proof
 * that its batch was committed; because of the guard, a batch that is repeated can take effect once only.
 */
export function entryStatement(ctx: Ctx, entry: Entry): EntryStatement {
  const { subject } = entry;
  const entry_id = newEntryId(ctx);
  const { table, row } = subject;
  const { type, name, profile_id, standIn } = ctx.actor;
  const insert = insertEntry(table)({
    id: entry_id,
    account_seq: ctx.account.seq,
    action: entry.action,
    description: entry.description ?? null,
    changes: serializeFields(entry.changes),
    metadata: serializeFields({
      ...entry.metadata,
      ...(ctx.jobRow && { job_id: ctx.jobRow.job_id }),
      ...(standIn && { on_behalf_of: profile_id }),
    }),
    actor_type: standIn ? "admin" : type,
    actor_name: standIn ? standIn.name : name,
    loggable_type: subject.type,
    row_id: row.id,
    revision: row.revision,
    subscription_id: subject.subscription_id,
    order_id: subject.order_id,
    profile_id: subject.profile_id,
    created_at: ctx.now,
    type: eventTypes[entry.action],
    recorded_at: ctx.realNow,
  });
  const proof = () => selectEntry({ account_seq: ctx.account.seq, id: entry_id });
  return { ...insert, entry_id, proof };
}

/** Commits a batch that contains entries. Throws StaleError if the guard of an entry failed. */
export async function commitStatements(ctx: Ctx, statements: Statement[]): Promise<Result<unknown>[]> {
  try {
    const entryIds = statements.filter(isEntry).map(({ entry_id }) => entry_id);
    return await commitEntries(ctx, entryIds, statements);
  } catch (error) {
    if (error instanceof ConstraintError && isConflict(error)) throw new StaleError();
    throw error;
  }
}

/** Commits a batch that writes the entries of these ids, and sends a message for each endpoint that is to receive one of them. */
export async function commitEntries(
  ctx: Ctx,
  entryIds: string[],
  statements: Statement[],
): Promise<Result<unknown>[]> {
  const [endpoints, ...results] = await commit(ctx, [...statements, selectEndpoints(ctx, entryIds)]).then(
    (all) => [all.pop() as Result<{ endpoint_id: string }>, ...all] as const,
  );
  if (endpoints.rows.length > 0)
    await ctx.send(endpoints.rows.map(({ endpoint_id }) => deliverEventJob(ctx.account.id, endpoint_id)));
  return results;
}

/**
 * The change of one record: its entry, and `after` set on the record with the revision incremented. The entry stands first and
 * is the guard: if the record has changed since it was read, the whole batch fails.
 */
function recordStatements(
  ctx: Ctx,
  entry: RecordChange,
  ownEntries: Entry[] = [],
): [EntryStatement, ...Statement[]] {
  const { subject, after } = entry;
  return [
    entryStatement(ctx, { ...entry, changes: entry.changes ?? diff(subject.row, after) }),
    ...ownEntries.map((other) => entryStatement(ctx, other)),
    updateColumns(ctx, subject, after),
  ];
}

/** The change of one record without an entry. If the record has changed since it was read, the whole batch fails too. */
function updateStatements(ctx: Ctx, { subject, after }: RecordUpdate): Statement[] {
  const { table, row } = subject;
  const hasChanged = `NOT EXISTS (SELECT 1 FROM ${getTableName(table)} WHERE account_seq = ? AND id = ? AND revision = ?)`;
  return [guard(hasChanged, [ctx.account.seq, row.id, row.revision]), updateColumns(ctx, subject, after)];
}

/** A statement that writes an entry, and the entry's id. */
type EntryStatement = Statement & { entry_id: string };

function isEntry(statement: Statement): statement is EntryStatement {
  return "entry_id" in statement;
}

/**
 * An entry is found by its id in the index by time, as its id holds its time. By a test clock, which stands still, many entries have one
 * time, so that their ids have an index of their own.
 */
export function newEntryId({ newId, now, realNow }: Ctx): string {
  return now === realNow ? newId(now) : newId();
}

/**
 * Sets the columns of a record that change, and increments its revision. A column that stays as it is is left out, because SQLite
 * writes the indexes of all columns that a statement names anew.
 */
function updateColumns(ctx: Ctx, { table, row }: Subject, after: Record<string, unknown>): Statement {
  const changes = Object.entries(diff(row, after)).map(([column, { to }]) => [column, to]);
  const set = { updated_at: ctx.now, ...Object.fromEntries(changes), revision: row.revision + 1 };
  return updateRow(table, { account_seq: ctx.account.seq, id: row.id }, set);
}

type EntryValues = Omit<NewEntry, "loggable_id"> & { row_id: string; revision: number };
type InsertEntry = (values: EntryValues) => Statement;

const insertsOfEntries = new Map<JournalTable, InsertEntry>();

/** The statement that inserts an entry about a record of a table. */
function insertEntry(table: JournalTable): InsertEntry {
  const known = insertsOfEntries.get(table);
  if (known) return known;
  const insert = prepare((p: Params<EntryValues>) =>
    build.insert(newEntries).values({
      id: p("id"),
      account_seq: p("account_seq"),
      action: p("action"),
      description: p("description"),
      changes: p("changes"),
      metadata: p("metadata"),
      actor_type: p("actor_type"),
      actor_name: p("actor_name"),
      loggable_type: p("loggable_type"),
      loggable_id: unchangedId(table, p),
      subscription_id: p("subscription_id"),
      order_id: p("order_id"),
      profile_id: p("profile_id"),
      created_at: p("created_at"),
      type: p("type"),
      recorded_at: p("recorded_at"),
    }),
  );
  insertsOfEntries.set(table, insert);
  return insert;
}

/** The id of the record if it belongs to the account and still has the revision that was read, else NULL. */
function unchangedId(table: JournalTable, p: Params<EntryValues>) {
  return sql<string>`(SELECT ${table.id} FROM ${table} WHERE ${table.account_seq} = ${p("account_seq")}
    AND ${table.id} = ${p("row_id")} AND ${table.revision} = ${p("revision")})`;
}

/** JSON, or null if there are no fields. */
function serializeFields(fields: Record<string, unknown> = {}): string | null {
  return Object.keys(fields).length > 0 ? JSON.stringify(fields) : null;
}

/**
 * The endpoints for which the database has made a delivery of one of these entries, but those that are sent as many as may be at once: whoever
 * sends these looks for more. The entries lead, each one look-up, however much is still to be delivered. The messages are hints:
 * the sweep needs none.
 */
function selectEndpoints({ account, realNow }: Ctx, entryIds: string[]) {
  const entry_ids = JSON.stringify(entryIds);
  return selectEndpointsOfEntries({ account_seq: account.seq, entry_ids, now: realNow });
}

type OfEntries = { account_seq: AccountSeq; entry_ids: string; now: string };

const selectEndpointsOfEntries = prepare((p: Params<OfEntries>) =>
  build
    .selectDistinct({ endpoint_id: eventDeliveries.endpoint_id })
    .from(sql`json_each(${p("entry_ids")}) AS entry`)
    .crossJoin(eventDeliveries)
    .where(
      and(
        eq(eventDeliveries.account_seq, p("account_seq")),
        sql`${eventDeliveries.event_id} = entry.value`,
        sql`NOT EXISTS (SELECT 1 FROM ${eventDeliveries} AS leased INDEXED BY event_deliveries_due
          WHERE leased.endpoint_id = ${eventDeliveries.endpoint_id} AND leased.status = 'PENDING'
          AND (leased.lease_until IS NOT NULL) = 1 AND leased.next_attempt_at > ${p("now")} LIMIT 1 OFFSET ${sql.raw(String(mostLeased - 1))})`,
      ),
    ),
);

/**
 * Whether a constraint failed because of a concurrent change: of the record itself, of a record that it refers to, or because
 * another request has begun to bill it, recorded the same store order, linked the same contract, or opened a case of leaving.
 */
function isConflict({ kind, on }: ConstraintError): boolean {
  return (
    on === `${getTableName(activityLogs)}.loggable_id` ||
    kind === "foreign_key" ||
    on === "guard" ||
    (kind === "unique" && /^(billing_attempts|orders|cancellation_cases)\.|\.store_contract_id$/.test(on))
  );
}
