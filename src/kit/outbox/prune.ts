import { and, inArray, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { mayBeWritten } from "../../base/db/at-rest.ts";
import { commit } from "../../base/db/commit.ts";
import type { Db } from "../../base/db/port.ts";
import { build, statement } from "../../base/db/statement.ts";

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
