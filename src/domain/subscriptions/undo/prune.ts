import { mayBeWritten } from "../../../base/db/at-rest.ts";
import { commit } from "../../../base/db/commit.ts";
import type { Db } from "../../../base/db/port.ts";
import { raw } from "../../../base/db/statement.ts";

/** Deletes images whose time is over, the oldest first and a limited number: cron does so at each tick. The builder has no rows by a key of several columns. */
export function pruneImages(db: Db, now: Date): Promise<unknown> {
  return commit({ db }, [
    raw(
      `DELETE FROM undo_images WHERE (account_seq, subscription_id, entry_id) IN (
        SELECT account_seq, subscription_id, entry_id FROM undo_images
          WHERE prune_at IS NOT NULL AND prune_at < ?1 AND ${mayBeWritten("account_seq")} ORDER BY prune_at LIMIT 5000)`,
      now.toISOString(),
    ),
  ]);
}
