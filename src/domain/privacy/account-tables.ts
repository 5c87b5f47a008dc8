import { seqOfId } from "../../base/db/account-seq.ts";
import type { Db, Row, Statement } from "../../base/db/port.ts";
import { raw, read, rows } from "../../base/db/statement.ts";

/** A table whose rows belong to accounts: the columns of its key, and the tables that its rows refer to. */
export type AccountTable = { name: string; key: string[]; refersTo: string[] };

/**
 * Every table with an account_seq, or the one of a name, in the order of `referringFirst`, each with its columns. They are read from
 * the database's own schema, which the builder knows nothing of, so that no table can be forgotten.
 */
export async function accountTables(
  db: Db,
  only: string | null = null,
): Promise<(AccountTable & { columns: string[] })[]> {
  const names = await rows(
    db,
    raw<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND instr(sql, 'account_seq') > 0 AND name = COALESCE(?, name) ORDER BY name",
      only,
    ),
  );
  if (names.length === 0) return [];
  const found: Row[][] = await read(
    db,
    ["table_info", "foreign_key_list"].flatMap((pragma) =>
      names.map(({ name }) => raw<Row>(`PRAGMA ${pragma}(${quoteName(name)})`)),
    ),
  );
  const tables = names.flatMap(({ name }, index) => {
    const its = (found[index] ?? []) as Column[];
    if (!its.some((column) => column.name === "account_seq")) return [];
    const key = its.filter(({ pk }) => pk > 0).sort((one, other) => one.pk - other.pk);
    const refersTo = ((found[names.length + index] ?? []) as Reference[]).map(({ table }) => table);
    return [{ name, key: key.map(nameOf), refersTo, columns: its.map(nameOf) }];
  });
  return referringFirst(tables);
}

type Column = { name: string; pk: number };
type Reference = { table: string };

function nameOf({ name }: Column): string {
  return name;
}

/** A table stands before those that it refers to, so that rows can be deleted in this order. */
export function referringFirst<T extends AccountTable>(tables: T[]): T[] {
  if (tables.length === 0) return [];
  const referredTo = new Set(
    tables.flatMap(({ name, refersTo }) => refersTo.filter((other) => other !== name)),
  );
  const free = tables.filter(({ name }) => !referredTo.has(name));
  const next = free.length > 0 ? free : tables;
  return [...next, ...referringFirst(tables.filter((table) => !next.includes(table)))];
}

/** Deletes a limited number of an account's rows of a table, and returns one row for each. */
export function deleteSome(
  { name, key }: AccountTable,
  accountId: string,
  size: number,
  condition = "TRUE",
): Statement {
  const columns = key.map(quoteName).join(", ");
  const table = quoteName(name);
  return raw(
    `DELETE FROM ${table} WHERE (${columns}) IN
      (SELECT ${columns} FROM ${table} WHERE account_seq = ${seqOfId} AND ${condition} LIMIT ?) RETURNING account_seq`,
    accountId,
    size,
  );
}

/** Deletes all of an account's rows of a table. */
export function deleteAll(name: string, accountId: string): Statement {
  return raw(`DELETE FROM ${quoteName(name)} WHERE account_seq = ${seqOfId}`, accountId);
}

function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
