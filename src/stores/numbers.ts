import { and, eq, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { AccountSeq } from "../base/db/columns.ts";
import { commit } from "../base/db/commit.ts";
import type { Db } from "../base/db/port.ts";
import { build, statement } from "../base/db/statement.ts";
import type { Instant } from "../base/lib/dates.ts";
import { nextNumber } from "./tables.ts";

/** A table that numbers records of accounts, with its columns of the number and of the record's id. */
type Numbers = {
  table: SQLiteTable & { account_seq: SQLiteColumn };
  number: SQLiteColumn;
  record: SQLiteColumn;
};

export type NumberedBy = { db: Db; accountSeq: AccountSeq; now: Instant };

/** The number of a record: its account's next if it has none yet. The same record has the same one, however often it is asked for. */
export async function numberRecord(
  { db, accountSeq, now }: NumberedBy,
  { table, number, record }: Numbers,
  id: string,
): Promise<number> {
  const row = {
    [number.name]: nextNumber(number, table, accountSeq),
    account_seq: accountSeq,
    [record.name]: id,
    created_at: now,
  };
  const [, found] = await commit({ db }, [
    statement(build.insert(table).values(row).onConflictDoNothing()),
    statement(
      build
        .select({ number: sql<number>`${number}`.as("number") })
        .from(table)
        .where(and(eq(table.account_seq, accountSeq), eq(record, id))),
    ),
  ]);
  return found?.rows[0]?.number as number;
}
