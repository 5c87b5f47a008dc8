import { seqOfId } from "../../../base/db/account-seq.ts";
import type { Row, Statement } from "../../../base/db/port.ts";
import { raw } from "../../../base/db/statement.ts";

/**
 * A table whose rows are moved: its columns but that of the account, and of these what names a row within its account. Rows that are
 * numbered have a `seq` besides, which is the order of what a list would leave equal.
 */
export type MovedTable = {
  name: string;
  columns: string[];
  key: string[];
  isNumbered: boolean;
};

/**
 * Statements that bring rows into a table, or make those that are there what they should be. JSON keeps whole numbers whole, which
 * parameters do not.
 */
export function insertStatements(
  { name, columns, key, isNumbered }: MovedTable,
  accountId: string,
  missing: Row[],
): Statement[] {
  const unique = ["account_seq", ...(isNumbered ? ["id"] : key)];
  const others = columns.filter((column) => !unique.includes(column) && column !== "seq");
  const update = others.map((column) => `${quoteName(column)} = excluded.${quoteName(column)}`).join(", ");
  const sql = `INSERT INTO ${quoteName(name)} (${["account_seq", ...columns].map(quoteName).join(", ")})
    SELECT ${["accounts.seq", ...membersOf(columns)].join(", ")} FROM accounts CROSS JOIN json_each(?)
      WHERE accounts.id = ? ORDER BY key
    ON CONFLICT (${unique.map(quoteName).join(", ")}) DO ${update === "" ? "NOTHING" : `UPDATE SET ${update}`}`;
  return splitIntoChunks(
    missing.map((row) => JSON.stringify(columns.map((column) => row[column] ?? null))),
  ).map((chunk) => raw(sql, `[${chunk.join(",")}]`, accountId));
}

export function keyOf({ key }: Pick<MovedTable, "key">, row: Row): Row[string][] {
  return key.map((column) => row[column] ?? null);
}

/**
 * The rows of a table after one key, up to another; with a `limit` so many at most, and of those a page: that which makes it full is the last. A
 * table whose rows have no key but the account has one row at most.
 */
export function selectPage(
  { name, columns, key }: MovedTable,
  accountId: string,
  { after, upTo, limit }: RowRange,
): Statement<Row> {
  const names = key.map(quoteName).join(", ");
  const keyed = key.length > 0;
  const bounds = [
    ...(after && keyed ? [{ operator: ">", values: after }] : []),
    ...(upTo && keyed ? [{ operator: "<=", values: upTo }] : []),
  ];
  const where = bounds.map(
    ({ operator }, nth) =>
      ` AND (${names}) ${operator} (SELECT ${key.map((_, index) => `?${nth + 2} ->> '$[${index}]'`).join(", ")})`,
  );
  const order = keyed ? `ORDER BY ${names}` : "";
  const selected = columns.map(quoteName).join(", ");
  const size = columns.map((column) => `COALESCE(LENGTH(${quoteName(column)}), 0)`).join(" + ");
  const filled = `, SUM(${size}) OVER (${order} ROWS UNBOUNDED PRECEDING) AS filled, ${size} AS size`;
  const sql = `SELECT ${selected}${limit === undefined ? "" : filled} FROM ${quoteName(name)}
    WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?1)${where.join("")} ${order}`;
  return raw<Row>(
    limit === undefined
      ? sql
      : `SELECT ${selected}, filled FROM (${sql} LIMIT ${limit}) WHERE filled - size < ${pageSize} ${order}`,
    accountId,
    ...bounds.map(({ values }) => JSON.stringify(values)),
  );
}

/** The characters of a page of rows, with the row that makes it full. */
export const pageSize = 1_000_000;

export function deleteStatements({ name, key }: MovedTable, accountId: string, deleted: Row[]): Statement[] {
  if (deleted.length === 0) return [];
  if (key.length === 0)
    return [raw(`DELETE FROM ${quoteName(name)} WHERE account_seq = ${seqOfId}`, accountId)];
  const keys = JSON.stringify(deleted.map((row) => key.map((column) => row[column] ?? null)));
  return [
    raw(
      `DELETE FROM ${quoteName(name)} WHERE account_seq = ${seqOfId}
        AND (${key.map(quoteName).join(", ")}) IN (SELECT ${membersOf(key).join(", ")} FROM json_each(?))`,
      accountId,
      keys,
    ),
  ];
}

/** The rows of these keys. */
export function selectStatement(
  { name, columns, key }: MovedTable,
  accountId: string,
  keys: Row[string][][],
): Statement<Row> {
  return raw<Row>(
    `SELECT ${columns.map(quoteName).join(", ")} FROM ${quoteName(name)} WHERE account_seq = ${seqOfId}
      AND (${key.map(quoteName).join(", ")}) IN (SELECT ${membersOf(key).join(", ")} FROM json_each(?))`,
    accountId,
    JSON.stringify(keys),
  );
}

export function quoteName(name: string): string {
  return `"${name}"`;
}

/** Characters of rows that one statement takes; a parameter has two megabytes at most. */
const charactersMax = 400_000;

export type RowRange = { after: Row[string][] | null; upTo?: Row[string][] | null; limit?: number };

function membersOf(columns: string[]): string[] {
  return columns.map((_, index) => `value ->> '$[${index}]'`);
}

function splitIntoChunks(texts: string[]): string[][] {
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
