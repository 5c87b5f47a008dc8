import { and, isNotNull, lt, sql } from "drizzle-orm";
import { mayBeWritten } from "../../base/db/at-rest.ts";
import { commit } from "../../base/db/commit.ts";
import type { Db, Statement } from "../../base/db/port.ts";
import { raw } from "../../base/db/statement.ts";
import { prune } from "../../kit/outbox/prune.ts";
import { jobs } from "./tables.ts";

/**
 * Deletes jobs that ended 30 days ago: first what they have much of, a limited number of rows at each tick. The rows of an import stay while
 * anything of it is held, as they are what it is released by; the lines of its files do not.
 */
export async function pruneJobs(db: Db, now: Date): Promise<void> {
  await commit({ db }, [
    deleteSome("import_lines", now),
    deleteSome("remote_payment_methods", now),
    deleteSome("job_rows", now, isReleased),
  ]);
  const where = and(isNotNull(jobs.prune_at), lt(jobs.prune_at, now.toISOString()), sql.raw(isDoneWith));
  await prune(db, jobs, { where, oldestBy: jobs.prune_at, size: 20 });
}

/** The builder has no ordered join in a DELETE. */
function deleteSome(
  table: "import_lines" | "remote_payment_methods" | "job_rows",
  now: Date,
  of = "1 = 1",
): Statement {
  return raw(
    `DELETE FROM ${table} WHERE rowid IN (
      SELECT its.rowid FROM jobs CROSS JOIN ${table} AS its
        ON its.account_seq = jobs.account_seq AND its.job_id = jobs.id
      WHERE jobs.prune_at IS NOT NULL AND jobs.prune_at < ?1 AND ${mayBeWritten("jobs.account_seq")} AND ${of} LIMIT ?2)`,
    now.toISOString(),
    rowsOfTick,
  );
}

const rowsOfTick = 5_000;

/** Nothing of an import is held. */
const isReleased = `NOT EXISTS (SELECT 1 FROM import_refs AS held WHERE held.account_seq = jobs.account_seq
    AND held.job_id = jobs.id AND held.is_held = 1)`;

/** A job goes once all that is its own has gone. */
const isDoneWith = `${isReleased} AND ${hasNone("import_lines")} AND ${hasNone("remote_payment_methods")} AND ${hasNone("job_rows")}`;

function hasNone(table: string): string {
  return `NOT EXISTS (SELECT 1 FROM ${table} AS its WHERE its.account_seq = jobs.account_seq AND its.job_id = jobs.id)`;
}
