import { getTableName } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { idOfSeq } from "../../base/db/account-seq.ts";
import { mayBeWritten } from "../../base/db/at-rest.ts";
import { commit } from "../../base/db/commit.ts";
import type { Db, Statement } from "../../base/db/port.ts";
import { raw } from "../../base/db/statement.ts";
import type { Engine } from "../../base/env.ts";
import type { Job } from "../../base/job.ts";
import { type Instant, later } from "../../base/lib/time/dates.ts";
import { minuteMs } from "../../base/lib/time/durations.ts";
import { accountsIn } from "./accounts-in.ts";

/** The search of a tick for work, in one trip with others: the statement of a page, and the job that is sent for a row, if any is. */
export type Sweep<Row extends object = object> = {
  pageOf(page: SweepPage<Row>): Statement<Row>;
  jobOf(found: Row): Job | undefined;
  /** A page of so many rows may not be the last. Without it the next tick finds what a page has left. */
  moreFrom?: number;
};

/** A page: the instant, when what it takes is due again, the engine whose accounts it is about, and the last row of the page before. */
type SweepPage<Row> = { realNow: Instant; again: Instant; engine: Engine; last?: Row | undefined };

/** The sweep of an outbox, which takes the rows of a page: it puts them off. */
export function defineSweep<
  Table extends OutboxTable,
  Id extends Extract<keyof Table["$inferSelect"], string>,
>(outbox: Outbox<Table, Id>, jobOf: (found: Swept<Table, Id>) => Job): Sweep<Swept<Table, Id>> {
  const text = pageText(outbox);
  const { size } = outbox;
  return {
    pageOf: ({ realNow, again }) => raw(text, realNow, size, again, realNow, size),
    jobOf,
    moreFrom: 1,
  };
}

/**
 * Finds work of several kinds: a page of each at once, and page after page of those that have more. What the first page takes is put off by a
 * minute, and what each further one takes by a minute more, because the messages of all of them take that much longer. The messages of a page
 * are sent before the next is taken, as one that fails must not lose them, and `left` is told which may have more.
 */
export async function sweep(
  db: Db,
  sweeps: Sweep[],
  { realNow, send, left = () => {} }: Sweeping,
): Promise<void> {
  let open: { of: Sweep; last?: object | undefined }[] = sweeps.map((of) => ({ of }));
  for (let page = 1; page <= pagesMax && open.length > 0; page++) {
    const again = later(realNow, page * againMs);
    const taken = await commit(
      { db },
      open.map(({ of, last }) => of.pageOf({ realNow, again, engine: db.engine, last })),
    );
    const pages = open.map(({ of }, nth) => ({ of, found: taken[nth]!.rows }));
    const jobs = pages.flatMap(({ of, found }) => found.flatMap((row) => of.jobOf(row) ?? []));
    if (jobs.length > 0) await send(jobs);
    open = pages
      .filter(({ of, found }) => found.length >= (of.moreFrom ?? Number.POSITIVE_INFINITY))
      .map(({ of, found }) => ({ of, last: found.at(-1) }));
    left(open.map(({ of }) => of));
  }
}

type Sweeping = {
  realNow: Instant;
  send: (jobs: Job[]) => Promise<unknown>;
  left?: (sweeps: Sweep[]) => void;
};

/** Statements of one sweep: what is left after so many pages is found by the next tick. */
const pagesMax = 20;
const againMs = minuteMs;

type OutboxTable = SQLiteTable & Record<"account_seq" | "next_action_at", SQLiteColumn>;

/** The table where rows wait, the column that names one within its account, how many are taken at once, and what else is told of each. */
type Outbox<Table extends OutboxTable, Id> = { table: Table; id: Id; size: number; also?: readonly Id[] };

type Swept<Table extends OutboxTable, Id extends keyof Table["$inferSelect"]> = { account_id: string } & Pick<
  Table["$inferSelect"],
  Id
>;

/**
 * A page of the rows whose next_action_at has come: a message of theirs was lost, or is due again. It is shared evenly by the accounts that
 * have due work, and has the longest waiting of each. The first query goes from account to account by the index of what waits, so that it
 * reads a row for each account with work, and no settled row; without INDEXED BY the planner may take the primary key instead. Raw, because
 * the builder has neither that nor recursive queries.
 */
function pageText<Table extends OutboxTable, Id extends Extract<keyof Table["$inferSelect"], string>>({
  table,
  id,
  also = [],
}: Outbox<Table, Id>): string {
  const name = getTableName(table);
  const waiting = `${name} INDEXED BY ${name}_to_do WHERE next_action_at IS NOT NULL`;
  return `WITH RECURSIVE
      ${accountsIn(waiting)},
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
