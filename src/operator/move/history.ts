import { and, eq, inArray } from "drizzle-orm";
import type { Db } from "../../db/client.ts";
import { commit } from "../../db/commit.ts";
import { build, raw, rows, statement } from "../../db/statement.ts";
import { insertOnce } from "../../journal/insert-once.ts";
import { type ActivityLog, activityLogs } from "../../journal/tables.ts";

/**
 * Gives the object the entries that the directory has about the keys of its account, before rows of the history are copied the other way.
 * Entries that the object has already are copies.
 */
export async function takeOverHistory(
  { d1, object }: { d1: Db; object: Db },
  accountId: string,
): Promise<void> {
  const entries = await rows(d1, aboutKeys(accountId));
  if (entries.length === 0) return;
  const known = new Set((await rows(object, aboutKeys(accountId))).map(({ id }) => id));
  const missing = entries.filter(({ id }) => !known.has(id));
  if (missing.length === 0) return;
  await commit({ db: object }, missing.map(insertOnce));
  const taken = missing.map(({ sequence }) => sequence);
  await commit({ db: d1 }, [
    statement(
      build
        .delete(activityLogs)
        .where(and(eq(activityLogs.account_id, accountId), inArray(activityLogs.sequence, taken))),
    ),
  ]);
}

/** Raw, because the index is named (journal/tables.ts). */
function aboutKeys(accountId: string) {
  return raw<ActivityLog>(
    "SELECT * FROM activity_logs INDEXED BY activity_logs_by_record WHERE account_id = ? AND loggable_type = 'api_key'",
    accountId,
  );
}
