import type { Account } from "../../accounts/tables.ts";
import type { Db, Row, Statement } from "../../db/client.ts";
import { ConstraintError, commit } from "../../db/commit.ts";
import { raw, read, rows } from "../../db/statement.ts";
import { DomainError } from "../../errors.ts";
import { accountTables } from "../../privacy/account-tables.ts";

/** A table whose rows are moved: its columns, those that no two rows share, and of these what names a row within its account. */
export type MovedTable = { name: string; columns: string[]; unique: string[]; key: string[] };

/** Where a pass over all tables has come to, and what it has found so far. */
export type Cursor = { table: number; after: Row[string][] | null; rows: number; changed: number };
export const fromStart: Cursor = { table: 0, after: null, rows: 0, changed: 0 };

type Copying = { from: Db; to: Db; account: Pick<Account, "id">; tables: MovedTable[] };

const pageSize = 200;
/** Characters of rows that one statement takes; a parameter has two megabytes at most. */
const charactersMax = 400_000;

/**
 * Every table with an account_id but the keys, which are the directory's. Those that others refer to come first. Both databases must
 * have the same tables. `seq` numbers the rows of all accounts of a database: the other numbers them itself, in the order of their ids.
 */
export async function movedTables(from: Db, to: Db): Promise<MovedTable[]> {
  const [here, there] = [await tablesOf(from), await tablesOf(to)];
  if (JSON.stringify(here) !== JSON.stringify(there))
    throw new DomainError("INVALID_STATE", "The databases have different schemas: migrate both first");
  return here;
}

export async function tablesOf(db: Db): Promise<MovedTable[]> {
  const tables = (await accountTables(db)).filter(({ name }) => name !== "api_keys").reverse();
  const columns = await read<Record<"name", string>[]>(
    db,
    tables.map(({ name }) => raw<{ name: string }>(`PRAGMA table_info("${name}")`)),
  );
  return tables.map(({ name, key }, index) => {
    const names = (columns[index] ?? []).map((column) => column.name).filter((column) => column !== "seq");
    const unique = key.includes("seq") ? ["account_id", "id"] : key;
    return { name, columns: names, unique, key: unique.filter((column) => column !== "account_id") };
  });
}

/**
 * Makes pages of the copy equal to the original, within so many trips, from the cursor on. Returns where it has come to; `after` the last
 * table the pass is at its end. Rows are compared whole, so a pass that has changed nothing has shown that both are equal.
 */
export async function copySome(copying: Copying, cursor: Cursor, tripsMax: number): Promise<Cursor> {
  const { from, to, tables } = copying;
  const tripsBefore = from.usage.db_round_trips + to.usage.db_round_trips;
  let at = cursor;
  while (at.table < tables.length) {
    if (from.usage.db_round_trips + to.usage.db_round_trips - tripsBefore >= tripsMax) return at;
    at = await copyPage(copying, at);
  }
  return at;
}

async function copyPage(copying: Copying, at: Cursor): Promise<Cursor> {
  const { from, to, account, tables } = copying;
  const table = tables[at.table]!;
  const original = await rows<Row>(from, page(table, account.id, { after: at.after, limit: pageSize }));
  const isLast = original.length < pageSize;
  const upTo = isLast ? null : keyOf(table, original.at(-1)!);
  const copy = await rows<Row>(to, page(table, account.id, { after: at.after, upTo }));
  const changed = await makeEqual(copying, table, { original, copy });
  const found = { rows: at.rows + original.length, changed: at.changed + changed };
  return isLast ? { ...found, table: at.table + 1, after: null } : { ...found, table: at.table, after: upTo };
}

/** All rows of an account's table, page by page. */
export async function* rowsOf(db: Db, table: MovedTable, accountId: string): AsyncGenerator<Row> {
  for (let after: Page["after"] = null; ; ) {
    const found = await rows<Row>(db, page(table, accountId, { after, limit: pageSize }));
    yield* found;
    if (found.length < pageSize) return;
    after = keyOf(table, found.at(-1)!);
  }
}

/**
 * Statements that bring rows into a table, or make those that are there what they should be. JSON keeps whole numbers whole, which
 * parameters do not.
 */
export function insertions({ name, columns, unique }: MovedTable, missing: Row[]): Statement[] {
  const values = columns.map((_, index) => `value ->> '$[${index}]'`).join(", ");
  const others = columns.filter((column) => !unique.includes(column));
  const update = others.map((column) => `${quoted(column)} = excluded.${quoted(column)}`).join(", ");
  const sql = `INSERT INTO ${quoted(name)} (${columns.map(quoted).join(", ")})
    SELECT ${values} FROM json_each(?) WHERE TRUE ORDER BY key
    ON CONFLICT (${unique.map(quoted).join(", ")}) DO ${update === "" ? "NOTHING" : `UPDATE SET ${update}`}`;
  return chunksOf(missing.map((row) => JSON.stringify(columns.map((column) => row[column] ?? null)))).map(
    (chunk) => raw(sql, `[${chunk.join(",")}]`),
  );
}

type Pages = { original: Row[]; copy: Row[] };

/** How many rows differ. What cannot be written yet, because of a row that another pass brings or takes away, is left to that. */
async function makeEqual({ to, account }: Copying, table: MovedTable, { original, copy }: Pages) {
  const textOf = (row: Row) => JSON.stringify(table.columns.map((column) => row[column]));
  const nameOf = (row: Row) => JSON.stringify(keyOf(table, row));
  const there = new Map(copy.map((row) => [nameOf(row), textOf(row)]));
  const here = new Set(original.map(nameOf));
  const missing = original.filter((row) => there.get(nameOf(row)) !== textOf(row));
  const extra = copy.filter((row) => !here.has(nameOf(row)));
  for (const statements of [deletion(table, account.id, extra), insertions(table, missing)])
    if (statements.length > 0) await commit({ db: to }, statements).catch(unlessRefused);
  return missing.length + extra.length;
}

/** An object is rolled back as a whole where a constraint that is checked at the end refuses its batch. */
function unlessRefused(error: unknown): void {
  if (error instanceof ConstraintError || /rolled back/.test(String(error))) return;
  throw error;
}

function keyOf({ key }: MovedTable, row: Row): Row[string][] {
  return key.map((column) => row[column] ?? null);
}

type Page = { after: Row[string][] | null; upTo?: Row[string][] | null; limit?: number };

/** A table whose rows have no key but the account has one row at most. */
function page(
  { name, columns, key }: MovedTable,
  accountId: string,
  { after, upTo, limit }: Page,
): Statement<Row> {
  const names = key.map(quoted).join(", ");
  const bound = (operator: string, values: Row[string][] | null | undefined) =>
    values && key.length > 0 ? ` AND (${names}) ${operator} (SELECT ${members(key.length)})` : "";
  const json = [after, upTo]
    .filter((values) => values && key.length > 0)
    .map((values) => JSON.stringify(values));
  let nth = 1;
  const members = (count: number) => {
    nth++;
    return Array.from({ length: count }, (_, index) => `?${nth} ->> '$[${index}]'`).join(", ");
  };
  const sql = `SELECT ${columns.map(quoted).join(", ")} FROM ${quoted(name)} WHERE account_id = ?1${bound(">", after)}${bound("<=", upTo)}
    ${key.length > 0 ? `ORDER BY ${names}` : ""} ${limit === undefined ? "" : `LIMIT ${limit}`}`;
  return raw<Row>(sql, accountId, ...json);
}

function deletion({ name, key }: MovedTable, accountId: string, deleted: Row[]): Statement[] {
  if (deleted.length === 0) return [];
  if (key.length === 0) return [raw(`DELETE FROM ${quoted(name)} WHERE account_id = ?`, accountId)];
  const values = key.map((_, index) => `value ->> '$[${index}]'`).join(", ");
  const keys = JSON.stringify(deleted.map((row) => key.map((column) => row[column] ?? null)));
  return [
    raw(
      `DELETE FROM ${quoted(name)} WHERE account_id = ?
        AND (${key.map(quoted).join(", ")}) IN (SELECT ${values} FROM json_each(?))`,
      accountId,
      keys,
    ),
  ];
}

function chunksOf(texts: string[]): string[][] {
  const chunks: string[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const text of texts) {
    if (size + text.length > charactersMax) {
      chunks.push([]);
      size = 0;
    }
    chunks.at(-1)?.push(text);
    size += text.length;
  }
  return chunks;
}

function quoted(name: string): string {
  return `"${name}"`;
}
