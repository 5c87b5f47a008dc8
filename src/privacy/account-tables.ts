import type { Db, Statement } from "../db/client.ts";
import { raw, read, rows } from "../db/statement.ts";

/** A table whose rows belong to accounts: its key, and which tables its rows refer to. */
export type AccountTable = { name: string; key: string[]; refersTo: string[] };

type Column = { name: string; pk: number };
type Reference = { table: string };

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const columnsOf = (table: string) => raw<Column>(`PRAGMA table_info(${quoted(table)})`);
const referencesOf = (table: string) => raw<Reference>(`PRAGMA foreign_key_list(${quoted(table)})`);

/** Those that nothing else refers to first, so that rows can be deleted in this order. */
export const referringFirst = (tables: AccountTable[]): AccountTable[] => {
  if (tables.length === 0) return [];
  const referredTo = new Set(
    tables.flatMap(({ name, refersTo }) => refersTo.filter((other) => other !== name)),
  );
  const free = tables.filter(({ name }) => !referredTo.has(name));
  const next = free.length > 0 ? free : tables;
  return [...next, ...referringFirst(tables.filter((table) => !next.includes(table)))];
};

/** Every table with an account_id, as the schema has them now: none can be forgotten. In the order of `referringFirst`. */
export const accountTables = async (db: Db): Promise<AccountTable[]> => {
  const names = await rows<{ name: string }>(db, {
    sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND instr(sql, 'account_id') > 0 ORDER BY name",
    params: [],
  });
  const columns: Column[][] = await read(
    db,
    names.map(({ name }) => columnsOf(name)),
  );
  const references: Reference[][] = await read(
    db,
    names.map(({ name }) => referencesOf(name)),
  );
  const tables = names.flatMap(({ name }, nth): AccountTable[] => {
    const its = columns[nth] ?? [];
    if (!its.some((column) => column.name === "account_id")) return [];
    const key = its.filter(({ pk }) => pk > 0).sort((one, other) => one.pk - other.pk);
    const refersTo = (references[nth] ?? []).map(({ table }) => table);
    return [{ name, key: key.map((column) => column.name), refersTo }];
  });
  return referringFirst(tables);
};

/** Deletes so many of an account's rows of a table; answers one for each. */
export const deleteSome = (
  { name, key }: AccountTable,
  accountId: string,
  size: number,
  which = "TRUE",
): Statement => {
  const columns = key.map(quoted).join(", ");
  const table = quoted(name);
  return {
    sql: `DELETE FROM ${table} WHERE (${columns}) IN
      (SELECT ${columns} FROM ${table} WHERE account_id = ? AND ${which} LIMIT ?) RETURNING account_id`,
    params: [accountId, size],
  };
};
