import { mayBeWritten } from "../../base/db/at-rest.ts";
import { commit } from "../../base/db/commit.ts";
import type { Db } from "../../base/db/port.ts";
import { raw } from "../../base/db/statement.ts";

/** Deletes the lines of imports that ended 30 days ago, a limited number at each tick. The builder has no ordered join in a DELETE. */
export function pruneImports(db: Db, now: Date): Promise<unknown> {
  return commit({ db }, [
    raw(
      `DELETE FROM import_lines WHERE rowid IN (
        SELECT its.rowid FROM jobs CROSS JOIN import_lines AS its
          ON its.account_seq = jobs.account_seq AND its.job_id = jobs.id
        WHERE jobs.prune_at IS NOT NULL AND jobs.prune_at < ?1 AND ${mayBeWritten("jobs.account_seq")} LIMIT ?2)`,
      now.toISOString(),
      linesOfTick,
    ),
  ]);
}

const linesOfTick = 5_000;
