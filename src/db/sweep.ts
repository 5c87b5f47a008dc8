import { getTableName } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { type Instant, later } from "../lib/dates.ts";
import type { Db } from "./client.ts";
import { commit } from "./commit.ts";
import { raw } from "./statement.ts";

const againMs = 60_000;

type OutboxTable = SQLiteTable & Record<"account_id" | "next_action_at", SQLiteColumn>;

/** Where rows wait, the column that names one within its account, and how many are taken at once. */
type Outbox<Table extends OutboxTable, Id> = { table: Table; id: Id; size: number };

/**
 * Takes the rows of an outbox whose next_action_at has come, the longest waiting first: a message of theirs was lost, or is
 * due again. Each is put off by a minute, so that no number of them keeps others from being found.
 */
export const sweep = async <
  Table extends OutboxTable,
  Id extends Extract<keyof Table["$inferSelect"], string>,
>(
  db: Db,
  { table, id, size }: Outbox<Table, Id>,
  realNow: Instant,
): Promise<Pick<Table["$inferSelect"], "account_id" | Id>[]> => {
  const name = getTableName(table);
  const [swept] = await commit({ db }, [
    // The builder has no rowid, by which the few rows found are updated without a second search.
    raw<Pick<Table["$inferSelect"], "account_id" | Id>>(
      `UPDATE ${name} SET next_action_at = ? WHERE rowid IN (SELECT rowid FROM ${name}
        WHERE next_action_at <= ? ORDER BY next_action_at, ${id} LIMIT ?) RETURNING account_id, ${id}`,
      later(realNow, againMs),
      realNow,
      size,
    ),
  ]);
  return swept.rows;
};
