import { getTableName } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { idOfSeq } from "../../base/db/account-seq.ts";
import { mayBeWritten } from "../../base/db/at-rest.ts";
import { commit } from "../../base/db/commit.ts";
import type { Db, Statement } from "../../base/db/port.ts";
import { raw } from "../../base/db/statement.ts";
import type { Job } from "../../base/job.ts";
import { type Instant, later } from "../../base/lib/dates.ts";
import { minuteMs } from "../../base/lib/durations.ts";

/** The sweep of an outbox: the statement that takes a page and puts it off, and the job that is sent for each row. */
export type Sweep = {
  takePage(realNow: Instant, again: Instant): Statement<object>;
  jobOf(found: object): Job;
};

export function defineSweep<
  Table extends OutboxTable,
  Id extends Extract<keyof Table["$inferSelect"], string>,
>(outbox: Outbox<Table, Id>, jobOf: (found: Swept<Table, Id>) => Job): Sweep {
  const text = pageText(outbox);
  const { size } = outbox;
  return { takePage: (realNow, again) => raw(text, realNow, size, again, realNow, size), jobOf };
}

/**
 * Takes the rows of outboxes whose next_action_at has come: a message of theirs was lost, or is due again. It takes a page of each at once,
 * and page after page of those that have more, in each of them as many of one account as of another, the longest waiting first. The rows of
 * the first page are put off by a minute, and those of each further one by a minute more, because the messages of all of them take that
 * much longer. The messages of a page are sent before the next is taken, as one that fails must not lose them.
 */
export async function sweep(
  db: Db,
  sweeps: Sweep[],
  { realNow, send }: { realNow: Instant; send: (jobs: Job[]) => Promise<unknown> },
): Promise<void> {
  let open = sweeps;
  for (let page = 1; page <= pagesMax && open.length > 0; page++) {
    const again = later(realNow, page * againMs);
    const taken = await commit(
      { db },
      open.map(({ takePage }) => takePage(realNow, again)),
    );
    const jobs = open.flatMap(({ jobOf }, nth) => taken[nth]!.rows.map(jobOf));
    if (jobs.length > 0) await send(jobs);
    open = open.filter((_, nth) => taken[nth]!.rows.length > 0);
  }
}

/** Statements of one sweep: what is left after so many pages is found by the next tick. */
const pagesMax = 20;
const againMs = minuteMs;

type OutboxTable = SQLiteTable & Record<"account_seq" | "next_action_at", SQLiteColumn>;

/** Where rows wait, the column that names one within its account, how many are taken at once, and what else is told of each. */
type Outbox<Table extends OutboxTable, Id> = { table: Table; id: Id; size: number; also?: readonly Id[] };

type Swept<Table extends OutboxTable, Id extends keyof Table["$inferSelect"]> = { account_id: string } & Pick<
  Table["$inferSelect"],
  Id
>;

/**
 * The builder has neither recursive queries nor INDEXED BY. The first query goes from account to account by the index of what waits, so
 * that it reads a row for each account with work, and no settled row; without INDEXED BY the planner may take the primary key instead. A
 * page is shared evenly by the accounts that have due work.
 */
function pageText<Table extends OutboxTable, Id extends Extract<keyof Table["$inferSelect"], string>>({
  table,
  id,
  also = [],
}: Outbox<Table, Id>): string {
  const name = getTableName(table);
  const waiting = `${name} INDEXED BY ${name}_to_do WHERE next_action_at IS NOT NULL`;
  return `WITH RECURSIVE
      account (seq) AS (
        SELECT (SELECT MIN(account_seq) FROM ${waiting})
        UNION ALL
        SELECT (SELECT MIN(account_seq) FROM ${waiting} AND account_seq > account.seq) FROM account WHERE seq IS NOT NULL
      ),
      oldest (seq, at) AS MATERIALIZED (
        SELECT seq, (SELECT MIN(next_action_at) FROM ${waiting} AND account_seq = account.seq) FROM account
          WHERE seq IS NOT NULL
      ),
      due (seq) AS MATERIALIZED (SELECT seq FROM oldest WHERE at <= ? AND ${mayBeWritten("seq")} ORDER BY at, seq LIMIT ?)
    UPDATE ${name} SET next_action_at = ? WHERE rowid IN (
      SELECT taken.rowid FROM due CROSS JOIN ${name} AS taken ON taken.rowid IN (
        SELECT rowid FROM ${waiting} AND account_seq = due.seq AND next_action_at <= ?
          ORDER BY next_action_at, ${id} LIMIT MAX(1, CAST(? AS INTEGER) / (SELECT COUNT(*) FROM due))))
    RETURNING ${[idOfSeq("account_seq"), id, ...also].join(", ")}`;
}
