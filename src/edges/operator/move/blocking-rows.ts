import type { Account } from "../../../base/accounts/tables.ts";
import { seqOfId } from "../../../base/db/account-seq.ts";
import { commit } from "../../../base/db/commit.ts";
import type { Db, Row, Statement } from "../../../base/db/port.ts";
import { raw, read } from "../../../base/db/statement.ts";
import { guardBeingFilled } from "./being-filled.ts";
import { deleteStatements, insertStatements, keyOf, type MovedTable, quoteName } from "./row-statements.ts";

type Replacing = { from: Db; to: Db; account: Pick<Account, "id" | "moving">; table: MovedTable };

/**
 * Brings rows into a table where others have values that no two rows share: customers may have swapped their addresses since. In one
 * transaction all of these are deleted, then inserted as the original has them now. Rows that refer to them are there again at its end.
 */
export async function replaceRows(replacing: Replacing, wanted: Row[]): Promise<void> {
  const { from, to, account, table } = replacing;
  const accountId = account.id;
  if (table.key.length === 0) return;
  const sets = await uniqueSets(to, table);
  const nameOf = (row: Row) => JSON.stringify(keyOf(table, row));
  const found = new Map(wanted.map((row) => [nameOf(row), row]));
  const originals = [...wanted];
  for (let round = 0, last = wanted; round < roundsMax && last.length > 0; round++) {
    const keys = (
      await readRows(to, table, selectBlockingRows({ accountId, table, sets, rows: last }))
    ).filter((row) => !found.has(nameOf(row)));
    for (const key of keys) found.set(nameOf(key), key);
    last = keys.length === 0 ? [] : await readRows(from, table, [queryRowsByKey({ accountId, table, keys })]);
    originals.push(...last);
  }
  await commit({ db: to }, [
    guardBeingFilled(to, account),
    raw("PRAGMA defer_foreign_keys = ON"),
    ...deleteStatements(table, accountId, [...found.values()]),
    ...insertStatements(table, accountId, originals),
  ]);
}

/** Chains of rows, each of which is in the way of another, are followed so far. The next pass goes on. */
const roundsMax = 10;

/** The columns of each unique index but that of the key. */
async function uniqueSets(db: Db, { name, key }: MovedTable): Promise<string[][]> {
  const [indexes] = await read<[Record<"name" | "unique", Row[string]>]>(db, [
    raw(`PRAGMA index_list(${quoteName(name)})`),
  ]);
  const uniqueOnes = indexes.filter((index) => index.unique === 1);
  const columns = await read<Record<"name", string>[]>(
    db,
    uniqueOnes.map((index) => raw(`PRAGMA index_info(${quoteName(String(index.name))})`)),
  );
  const isKey = (set: string[]) => set.toSorted().join() === key.toSorted().join();
  return columns
    .map((rows) => rows.map((row) => row.name).filter((name) => name !== "account_seq"))
    .filter((set) => !isKey(set));
}

type Blocking = { accountId: string; table: MovedTable; sets: string[][]; rows: Row[] };

/** The keys of rows that have the same values in one of these sets of columns. */
function selectBlockingRows({ accountId, table, sets, rows }: Blocking): Statement<Row>[] {
  return sets.map((set) => selectRowsWith({ accountId, table, columns: table.key, among: set, rows }));
}

function queryRowsByKey({ accountId, table, keys }: { accountId: string; table: MovedTable; keys: Row[] }) {
  const { columns, key } = table;
  return selectRowsWith({ accountId, table, columns, among: key, rows: keys });
}

type Matching = { accountId: string; table: MovedTable; columns: string[]; among: string[]; rows: Row[] };

function selectRowsWith({ accountId, table, columns, among, rows }: Matching): Statement<Row> {
  const values = among.map((_, index) => `value ->> '$[${index}]'`).join(", ");
  const given = JSON.stringify(rows.map((row) => among.map((column) => row[column] ?? null)));
  return raw<Row>(
    `SELECT ${columns.map(quoteName).join(", ")} FROM ${quoteName(table.name)}
      WHERE account_seq = ${seqOfId} AND (${among.map(quoteName).join(", ")}) IN (SELECT ${values} FROM json_each(?))`,
    accountId,
    given,
  );
}

/** The rows that statements find, each once. */
async function readRows(db: Db, table: MovedTable, statements: Statement<Row>[]): Promise<Row[]> {
  if (statements.length === 0) return [];
  const found = (await read<Row[]>(db, statements)).flat();
  return [...new Map(found.map((row) => [JSON.stringify(keyOf(table, row)), row])).values()];
}
