import { and, inArray, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { mayBeWritten } from "../../base/db/at-rest.ts";
import { commit } from "../../base/db/commit.ts";
import type { Db } from "../../base/db/port.ts";
import { build, raw, statement } from "../../base/db/statement.ts";
import { firstIdAt } from "../../base/lib/ids.ts";
import type { Instant } from "../../base/lib/time/dates.ts";
import { accountsIn } from "./accounts-in.ts";

type OwnedTable = SQLiteTable & Record<"account_seq", SQLiteColumn>;
type Prune = { where: SQL | undefined; oldestBy: SQLiteColumn; size: number };

/** Deletes rows of a table, the oldest first and a limited number: cron does so at each tick, and a statement must be short. */
export function prune(db: Db, table: OwnedTable, { where, oldestBy, size }: Prune): Promise<unknown> {
  const rowid = sql`rowid`;
  const old = build
    .select({ rowid })
    .from(table)
    .where(and(where, sql.raw(mayBeWritten("account_seq"))))
    .orderBy(oldestBy)
    .limit(size);
  return commit({ db }, [statement(build.delete(table).where(inArray(rowid, old)))]);
}

type PruneById = { key: readonly [id: string, ...string[]]; before: Instant; where?: string; size: number };

/**
 * Deletes rows made before an instant, a limited number, of a table without row ids whose key begins with the account and an id that holds
 * about that time: no index by age is needed, as each account's rows are in that order. The builder has no recursive queries.
 */
export function pruneById(
  db: Db,
  table: string,
  { key, before, where = "TRUE", size }: PruneById,
): Promise<unknown> {
  const columns = ["account_seq", ...key].join(", ");
  const [id] = key;
  return commit({ db }, [
    raw(
      `DELETE FROM ${table} WHERE (${columns}) IN (
        WITH RECURSIVE ${accountsIn(`${table} WHERE TRUE`)}
        SELECT ${columns} FROM account CROSS JOIN ${table} ON account_seq = account.seq AND ${id} < ?1
        WHERE created_at < ?2 AND ${where} AND ${mayBeWritten("account_seq")} LIMIT ?3)`,
      ...[firstIdAt(before), before, size],
    ),
  ]);
}
