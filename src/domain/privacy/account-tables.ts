import { seqOfId } from "../../base/db/account-seq.ts";
import type { Db, Row, Statement } from "../../base/db/port.ts";
import { raw, read, rows } from "../../base/db/statement.ts";
import { ttlCache } from "../../base/lib/ttl-cache.ts";

/** A table whose rows belong to accounts: the columns of its key, and the tables that its rows refer to. */
export type AccountTable = { name: string; key: string[]; refersTo: string[] };

/**
 * Every table with an account_seq, or the one of a name, in the order of `referringFirst`, each with its columns. They are read from
 * the database's own schema, which the builder knows nothing of, so that no table can be forgotten.
 */
export async function accountTables(db: Db, only: string | null = null): Promise<ReadTable[]> {
  const made = await rows(db, selectMade(only));
  const unknown = made.filter(({ sql }) => known.get(sql, 0) === undefined);
  if (unknown.length > 0) {
    const pragmas = unknown.flatMap(({ name }) =>
      ["table_info", "foreign_key_list"].map((pragma) => raw<Row>(`PRAGMA ${pragma}(${quoteName(name)})`)),
    );
    const [now, ...found] = (await read(db, [selectMade(only), ...pragmas])) as unknown as [
      Made[],
      ...Row[][],
    ];
    const sqlOf = new Map(now.map(({ name, sql }) => [name, sql]));
    for (const [nth, { name }] of unknown.entries())
      known.set(`${sqlOf.get(name)}`, tableOf(name, found.slice(2 * nth) as [Column[], Reference[]]), 0);
    return accountTables(db, only);
  }
  const tables = made.map(({ sql }) => known.get(sql, 0)!);
  return referringFirst(tables.filter(({ columns }) => columns.includes("account_seq")));
}

function selectMade(only: string | null): Statement<Made> {
  return raw<Made>(
    "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND instr(sql, 'account_seq') > 0 AND name = COALESCE(?, name) ORDER BY name",
    only,
  );
}

type ReadTable = AccountTable & { columns: string[] };
type Made = { name: string; sql: string };

/** Tables by the statement that would make them, which says all that is known of them: a move asks for them with each of its steps. */
const known = ttlCache<ReadTable>(Number.POSITIVE_INFINITY, 500);

type Column = { name: string; pk: number };
type Reference = { table: string };

function tableOf(name: string, [columns, references]: [Column[], Reference[]]): ReadTable {
  const key = columns.filter(({ pk }) => pk > 0).sort((one, other) => one.pk - other.pk);
  return {
    ...{ name, key: key.map(nameOf), columns: columns.map(nameOf) },
    refersTo: references.map(({ table }) => table),
  };
}

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
