import type { Account } from "../../../base/accounts/tables.ts";
import { seqOfId } from "../../../base/db/account-seq.ts";
import { ConstraintError, commit } from "../../../base/db/commit.ts";
import type { Db, Row, Statement } from "../../../base/db/port.ts";
import { raw, rows } from "../../../base/db/statement.ts";
import { DomainError } from "../../../base/errors.ts";
import { accountTables } from "../../../domain/privacy/account-tables.ts";
import { refuseIfOvertaken } from "../as-read.ts";
import { guardBeingFilled } from "./being-filled.ts";
import { replaceRows } from "./blocking-rows.ts";
import {
  deleteStatements,
  insertStatements,
  keyOf,
  type MovedTable,
  quoteName,
  type RowRange,
  selectPage,
  selectStatement,
} from "./row-statements.ts";

/** The place that a pass over all tables has come to, and what it has found so far. */
export type CopyPosition = { table: number; after: Row[string][] | null; rows: number; changed: number };
export const fromStart: CopyPosition = { table: 0, after: null, rows: 0, changed: 0 };

type Copying = { from: Db; to: Db; account: Pick<Account, "id" | "moving">; tables: MovedTable[] };

/**
 * Every table with an account_seq but the keys, which are the directory's. Those that others refer to come first. Both databases must
 * have the same tables. An account has another number in each of them, which no row takes along.
 */
export async function findMovedTables(from: Db, to: Db): Promise<MovedTable[]> {
  const [here, there] = [await findTables(from), await findTables(to)];
  if (JSON.stringify(here) !== JSON.stringify(there))
    throw new DomainError("INVALID_STATE", "The databases have different schemas: migrate both first");
  return here;
}

/** The tables of a database whose rows are moved, or the one of a name. */
export async function findTables(db: Db, only?: string): Promise<MovedTable[]> {
  const tables = (await accountTables(db, only)).filter(({ name }) => name !== "api_keys").reverse();
  return tables.map(({ name, key: primaryKey, columns: all }) => {
    const isNumbered = primaryKey.includes("seq");
    const columns = all.filter((column) => column !== "seq" && column !== "account_seq");
    const key = isNumbered ? ["id"] : primaryKey.filter((column) => column !== "account_seq");
    return { name, columns, key, isNumbered };
  });
}

/**
 * Makes pages of the copy equal to the original, within so many trips, from the cursor on. Returns where it has come to; `after` the last
 * table the pass is at its end. Rows are compared whole, so a pass that has changed nothing has shown that both are equal.
 */
export async function copySome(
  copying: Copying,
  cursor: CopyPosition,
  tripsMax: number,
): Promise<CopyPosition> {
  const { from, to, tables } = copying;
  const tripsBefore = from.usage.db_round_trips + to.usage.db_round_trips;
  let at = cursor;
  while (at.table < tables.length) {
    if (from.usage.db_round_trips + to.usage.db_round_trips - tripsBefore >= tripsMax) return at;
    at = await copyPage(copying, at);
  }
  return at;
}

/** Makes a page of the copy equal to its original, and returns how many rows differed. */
export async function makePageEqual(
  target: Target,
  table: MovedTable,
  { original, after, upTo }: OriginalPage,
): Promise<number> {
  const copy = await rows<Row>(target.to, selectPage(table, target.account.id, { after, upTo }));
  return makeEqual(target, table, { original, copy });
}

/** All rows of an account's table, page by page. */
export async function* rowsOf(db: Db, table: MovedTable, accountId: string): AsyncGenerator<Row> {
  for (let after: RowRange["after"] = null; ; ) {
    const found = await rows<Row>(db, selectPage(table, accountId, { after, limit: pageSize }));
    yield* found;
    if (found.length < pageSize) return;
    after = keyOf(table, found.at(-1)!);
  }
}

const pageSize = 200;

async function copyPage(copying: Copying, at: CopyPosition): Promise<CopyPosition> {
  const { from, to, account, tables } = copying;
  const table = tables[at.table]!;
  if (table.isNumbered) return copyNumbered(copying, table, at);
  const original = await rows<Row>(from, selectPage(table, account.id, { after: at.after, limit: pageSize }));
  const isLast = original.length < pageSize;
  const upTo = isLast ? null : keyOf(table, original.at(-1)!);
  const changed = await makePageEqual({ from, to, account }, table, { original, after: at.after, upTo });
  const found = { rows: at.rows + original.length, changed: at.changed + changed };
  return isLast ? { ...found, table: at.table + 1, after: null } : { ...found, table: at.table, after: upTo };
}

/**
 * A page of rows that are numbered. An object has no rows but those of its account, so it takes their numbers over, or gives its rows in the
 * order of theirs. D1 has those of other accounts besides, and numbers them anew, in the order in which they come.
 */
async function copyNumbered(copying: Copying, table: MovedTable, at: CopyPosition): Promise<CopyPosition> {
  const { from, to, account } = copying;
  const isInOrder = from.engine === "object";
  const columns = [...table.columns, "seq"];
  const ordered = isInOrder ? { ...table, columns, key: ["seq"] } : { ...table, columns };
  const original = await rows<Row>(
    from,
    selectPage(ordered, account.id, { after: at.after, limit: pageSize }),
  );
  const ids = original.map((row) => keyOf(table, row));
  const copy = await rows<Row>(to, selectStatement(table, account.id, ids));
  const inserted = isInOrder ? table : ordered;
  let changed = await makeEqual({ from, to, account }, table, { original, copy, inserted });
  const isLast = original.length < pageSize;
  if (isLast) changed += await removeOthers(copying, table);
  const found = { rows: at.rows + original.length, changed: at.changed + changed };
  if (isLast) return { ...found, table: at.table + 1, after: null };
  return { ...found, table: at.table, after: keyOf(ordered, original.at(-1)!) };
}

/** Deletes copies whose originals are gone, if there are any: then there are more copies than originals. */
async function removeOthers({ from, to, account }: Copying, table: MovedTable): Promise<number> {
  const count = raw<{ n: number }>(
    `SELECT COUNT(*) AS n FROM ${quoteName(table.name)} WHERE account_seq = ${seqOfId}`,
    account.id,
  );
  const [[originals], [copies]] = [await rows(from, count), await rows(to, count)];
  if (originals?.n === copies?.n) return 0;
  let deleted = 0;
  for (let after: RowRange["after"] = null; ; ) {
    const copy = await rows<Row>(to, selectPage(table, account.id, { after, limit: pageSize }));
    const ids = copy.map((row) => keyOf(table, row));
    const known = await rows<Row>(from, selectStatement(table, account.id, ids));
    const here = new Set(known.map((row) => JSON.stringify(keyOf(table, row))));
    const others = copy.filter((row) => !here.has(JSON.stringify(keyOf(table, row))));
    await tryCommit({ to, account }, deleteStatements(table, account.id, others));
    deleted += others.length;
    if (copy.length < pageSize) return deleted;
    after = keyOf(table, copy.at(-1)!);
  }
}

/** Rows of a table as they should be: all that come after one key, up to another or the table's end. */
export type OriginalPage = { original: Row[]; after: Row[string][] | null; upTo: Row[string][] | null };
/** The databases that rows are copied to, and from: absent where all that is known of the original is the page. */
type Target = Pick<Copying, "to" | "account"> & { from?: Db };

/** `inserted` is the table with all columns that an insertion gives, where those are more. */
type Pages = { original: Row[]; copy: Row[]; inserted?: MovedTable };

/**
 * The number of rows that differ. A row that cannot be written yet, because of one that another pass brings or takes away, is left to that
 * pass.
 */
async function makeEqual(
  target: Target,
  table: MovedTable,
  { original, copy, inserted = table }: Pages,
): Promise<number> {
  const { from, to, account } = target;
  const textOf = (row: Row) => JSON.stringify(table.columns.map((column) => row[column]));
  const nameOf = (row: Row) => JSON.stringify(keyOf(table, row));
  const there = new Map(copy.map((row) => [nameOf(row), textOf(row)]));
  const here = new Set(original.map(nameOf));
  const missing = original.filter((row) => there.get(nameOf(row)) !== textOf(row));
  const extra = copy.filter((row) => !here.has(nameOf(row)));
  await tryCommit(target, deleteStatements(table, account.id, extra));
  const isInserted = await tryCommit(target, insertStatements(inserted, account.id, missing));
  if (!isInserted && from)
    await awaitAcceptance(replaceRows({ from, to, account, table: inserted }, missing));
  return missing.length + extra.length;
}

async function tryCommit({ to, account }: Target, statements: Statement[]): Promise<boolean> {
  if (statements.length === 0) return true;
  return awaitAcceptance(commit({ db: to }, [guardBeingFilled(to, account), ...statements]));
}

/** Awaits a write, and returns whether no constraint has refused it. An object is rolled back as a whole where one that is checked at the end refuses its batch. */
async function awaitAcceptance(written: Promise<unknown>): Promise<boolean> {
  return refuseIfOvertaken(written).then(
    () => true,
    (error) => {
      if (error instanceof ConstraintError || /rolled back/.test(String(error))) return false;
      throw error;
    },
  );
}
