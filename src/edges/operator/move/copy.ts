import type { Account } from "../../../base/accounts/tables.ts";
import { seqOfId } from "../../../base/db/account-seq.ts";
import { ConstraintError, commit } from "../../../base/db/commit.ts";
import type { Db, Row, Statement } from "../../../base/db/port.ts";
import { raw, rows } from "../../../base/db/statement.ts";
import { DomainError } from "../../../base/errors.ts";
import { accountTables } from "../../../domain/privacy/account-tables.ts";
import { refuseIfOvertaken } from "../as-read.ts";
import { guardBeingFilled } from "./being-filled.ts";
import {
  deleteStatements,
  insertStatements,
  keyOf,
  type MovedTable,
  pageSize,
  quoteName,
  type RowRange,
  selectPage,
  selectStatement,
} from "./row-statements.ts";

/** The place that a pass over all tables has come to, and what it has found so far. */
export type CopyPosition = {
  table: number;
  after: Row[string][] | null;
  rows: number;
  changed: number;
  /** The passes before this one. */
  passes: number;
};
export const fromStart: CopyPosition = { table: 0, after: null, rows: 0, changed: 0, passes: 0 };

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
 * Makes pages of the copy equal to the original, within about so many trips, from the cursor on. Returns where it has come to; `after` the last table the pass is
 * at its end. Rows are compared whole, so a pass that has changed nothing has shown that both are equal. The next page of the original is
 * read while one is written.
 */
export async function copySome(
  copying: Copying,
  cursor: CopyPosition,
  tripsMax: number,
): Promise<CopyPosition> {
  const { from, to, tables } = copying;
  const trips = () => from.usage.db_round_trips + to.usage.db_round_trips;
  const last = trips() + tripsMax;
  let at = cursor;
  let ahead: Promise<Page> | undefined;
  while (at.table < tables.length && (ahead || trips() < last)) {
    const page = await (ahead ?? readPage(copying, at, rowsMin));
    const { next } = page;
    const goesOn = next.table < tables.length && trips() < last;
    ahead = goesOn ? readPage(copying, next, next.table === at.table ? rowsAfter(page) : rowsMin) : undefined;
    ahead?.catch(() => {});
    at = { ...next, changed: at.changed + (await copyPage(copying, page)) };
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

/** All rows of an account's table, page by page, of which there is one at least; `after` is the key before the page. */
export async function* pagesOf(
  db: Db,
  table: MovedTable,
  accountId: string,
): AsyncGenerator<{ rows: Row[]; after: Row[string][] | null; isLast: boolean }> {
  let range: RowRange = { after: null, limit: rowsMin };
  for (;;) {
    const { original, isLast } = await readRows(db, table, { accountId, range });
    yield { rows: original, after: range.after, isLast };
    if (isLast) return;
    range = { after: keyOf(table, original.at(-1)!), limit: rowsAfter({ original }) };
  }
}

/** All rows of an account's table. */
export async function* rowsOf(db: Db, table: MovedTable, accountId: string): AsyncGenerator<Row> {
  for await (const { rows } of pagesOf(db, table, accountId)) yield* rows;
}

/** A page as it was read: the rows, where it begins, and where the one after it does. */
type Page = { table: MovedTable; ordered: MovedTable; at: CopyPosition; original: Row[]; next: CopyPosition };

/** Rows that are read first of a table, and the most of one page; a page that was not full has the next try twice as many. */
const rowsMin = 200;
const rowsMax = 4_000;

function rowsAfter({ original }: Pick<Page, "original">): number {
  return Math.min(rowsMax, Math.max(rowsMin, 2 * original.length));
}

type Reading = { accountId: string; range: RowRange };

/** A page of rows, and whether the table has none after them. */
async function readRows(db: Db, table: MovedTable, { accountId, range }: Reading) {
  const found = await rows<Row>(db, selectPage(table, accountId, range));
  const isFull = Number(found.at(-1)?.filled ?? 0) >= pageSize;
  const original = found.map(({ filled: _, ...row }) => row as Row);
  return { original, isLast: original.length < range.limit! && !isFull };
}

async function readPage({ from, account, tables }: Copying, at: CopyPosition, limit: number): Promise<Page> {
  const table = tables[at.table]!;
  const ordered = orderedAt(from, table);
  const range = { after: at.after, limit };
  const { original, isLast } = await readRows(from, ordered, { accountId: account.id, range });
  const found = { ...at, rows: at.rows + original.length };
  const next = isLast
    ? { ...found, table: at.table + 1, after: null }
    : { ...found, after: keyOf(ordered, original.at(-1)!) };
  return { table, ordered, at, original, next };
}

/**
 * The table as its rows are read. An object has no rows but those of its account, so it takes the numbers of rows over, or gives its rows in the
 * order of theirs. D1 has those of other accounts besides, and numbers them anew, in the order in which they come.
 */
function orderedAt({ engine }: Db, table: MovedTable): MovedTable {
  if (!table.isNumbered) return table;
  const columns = [...table.columns, "seq"];
  return engine === "object" ? { ...table, columns, key: ["seq"] } : { ...table, columns };
}

/** Makes a page of the copy equal, and returns how many rows differed. */
async function copyPage({ from, to, account }: Copying, page: Page): Promise<number> {
  const { table, ordered, at, original, next } = page;
  const target = { to, account };
  if (!table.isNumbered) return makePageEqual(target, table, { original, after: at.after, upTo: next.after });
  const ids = original.map((row) => keyOf(table, row));
  const copy = await rows<Row>(to, selectStatement(table, account.id, ids));
  const inserted = from.engine === "object" ? table : ordered;
  const changed = await makeEqual(target, table, { original, copy, inserted });
  if (next.table > at.table) await requireSameCount({ from, to, account }, table);
  return changed;
}

/** The rows of a numbered table are looked up by id, which finds none that the account does not have. Throws INVALID_STATE of such. */
async function requireSameCount({ from, to, account }: Omit<Copying, "tables">, table: MovedTable) {
  const count = raw<{ n: number }>(
    `SELECT COUNT(*) AS n FROM ${quoteName(table.name)} WHERE account_seq = ${seqOfId}`,
    account.id,
  );
  const [originals, copies] = [await rows(from, count), await rows(to, count)];
  if (originals[0]!.n < copies[0]!.n)
    throw new DomainError(
      "INVALID_STATE",
      `The copy has ${table.name} that the account does not have: give the move up, and begin anew`,
    );
}

/** Rows of a table as they should be: all that come after one key, up to another or the table's end. */
export type OriginalPage = { original: Row[]; after: Row[string][] | null; upTo: Row[string][] | null };
/** The database that rows are brought to. */
type Target = Pick<Copying, "to" | "account">;

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
  const { account } = target;
  const textOf = (row: Row) => JSON.stringify(table.columns.map((column) => row[column]));
  const nameOf = (row: Row) => JSON.stringify(keyOf(table, row));
  const there = new Map(copy.map((row) => [nameOf(row), textOf(row)]));
  const here = new Set(original.map(nameOf));
  const missing = original.filter((row) => there.get(nameOf(row)) !== textOf(row));
  const extra = copy.filter((row) => !here.has(nameOf(row)));
  await tryCommit(target, deleteStatements(table, account.id, extra));
  await tryCommit(target, insertStatements(inserted, account.id, missing));
  return missing.length + extra.length;
}

/** An object is rolled back as a whole where a constraint that is checked at the end refuses its batch. */
async function tryCommit({ to, account }: Target, statements: Statement[]): Promise<void> {
  if (statements.length === 0) return;
  await refuseIfOvertaken(commit({ db: to }, [guardBeingFilled(to, account), ...statements])).catch(
    (error) => {
      if (!(error instanceof ConstraintError || /rolled back/.test(String(error)))) throw error;
    },
  );
}
