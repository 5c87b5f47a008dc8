import { and, eq, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { AccountSeq } from "../base/db/columns.ts";
import { commit } from "../base/db/commit.ts";
import type { Db } from "../base/db/port.ts";
import { build, type Params, prepare } from "../base/db/statement.ts";
import type { Instant } from "../base/lib/time/dates.ts";
import { nextNumber } from "./tables.ts";

/** A table that numbers records of accounts, with its columns of the number and of the record's id. */
type Numbers = {
  table: SQLiteTable & { account_seq: SQLiteColumn };
  number: SQLiteColumn;
  record: SQLiteColumn;
};

export type NumberedBy = { db: Db; accountSeq: AccountSeq; now: Instant };

/** Numbers the records of a table: an account's next for one that has none yet. The same record has the same one, however often it is asked for. */
export function numbersIn({ table, number, record }: Numbers) {
  const insert = prepare((p: Params<{ account_seq: AccountSeq; id: string; now: Instant }>) =>
    build
      .insert(table)
      .values({
        [number.name]: nextNumber(number, table, p("account_seq")),
        account_seq: p("account_seq"),
        [record.name]: p("id"),
        created_at: p("now"),
      })
      .onConflictDoNothing(),
  );
  const select = prepare((p: Params<{ account_seq: AccountSeq; id: string }>) =>
    build
      .select({ number: sql<number>`${number}`.as("number") })
      .from(table)
      .where(and(eq(table.account_seq, p("account_seq")), eq(record, p("id")))),
  );
  return async ({ db, accountSeq: account_seq, now }: NumberedBy, id: string): Promise<number> => {
    const [, found] = await commit({ db }, [insert({ account_seq, id, now }), select({ account_seq, id })]);
    return found.rows[0]!.number;
  };
}
