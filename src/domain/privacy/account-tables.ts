import { seqOfId } from "../../base/db/account-seq.ts";
import type { Db, Statement } from "../../base/db/port.ts";
import { raw, read, rows } from "../../base/db/statement.ts";

/** A table whose rows belong to accounts: the columns of its key, and the tables that its rows refer to. */
export type AccountTable = { name: string; key: string[]; refersTo: string[] };

/**
 * Every table with an account_seq, in the order of `referringFirst`. They are read from the database's own schema, which the
 * builder knows nothing of, so that no table can be forgotten.
 */
export async function accountTables(db: Db): Promise<AccountTable[]> {
  const names = await rows(
    db,
    raw<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND instr(sql, 'account_seq') > 0 ORDER BY name",
    ),
  );
  const columns: Column[][] = await read(
    db,
    names.map(({ name }) => raw<Column>(`PRAGMA table_info(${quoteName(name)})`)),
  );
  const references: Reference[][] = await read(
    db,
    names.map(({ name }) => raw<Reference>(`PRAGMA foreign_key_list(${quoteName(name)})`)),
  );
  const tables = names.flatMap(({ name }, index): AccountTable[] => {
    const its = columns[index] ?? [];
    if (!its.some((column) => column.name === "account_seq")) return [];
    const key = its.filter(({ pk }) => pk > 0).sort((one, other) => one.pk - other.pk);
    const refersTo = (references[index] ?? []).map(({ table }) => table);
    return [{ name, key: key.map((column) => column.name), refersTo }];
  });
  return referringFirst(tables);
}

type Column = { name: string; pk: number };
type Reference = { table: string };

/** A table stands before those that it refers to, so that rows can be deleted in this order. */
export function referringFirst(tables: AccountTable[]): AccountTable[] {
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
