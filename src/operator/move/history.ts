import { and, eq, inArray } from "drizzle-orm";
import type { Db } from "../../db/client.ts";
import { commit } from "../../db/commit.ts";
import { build, inJson, rows, statement } from "../../db/statement.ts";
import { activityLogs } from "../../journal/tables.ts";

/**
 * Gives the object the entries that the directory has about the keys of its account, before rows of the history are copied the other way.
 * Entries that the object has already are copies.
 */
export async function takeOverHistory(
  { d1, object }: { d1: Db; object: Db },
  accountId: string,
): Promise<void> {
  const entries = await rows(
    d1,
    statement(
      build
        .select()
        .from(activityLogs)
        .where(and(eq(activityLogs.account_id, accountId), eq(activityLogs.loggable_type, "api_key"))),
    ),
  );
  if (entries.length === 0) return;
  const ids = entries.map(({ id }) => id);
  const known = await rows(
    object,
    statement(
      build
        .select({ id: activityLogs.id })
        .from(activityLogs)
        .where(and(eq(activityLogs.account_id, accountId), inJson(activityLogs.id, JSON.stringify(ids)))),
    ),
  );
  const own = new Set(known.map(({ id }) => id));
  const missing = entries.filter(({ id }) => !own.has(id));
  if (missing.length === 0) return;
  await commit(
    { db: object },
    missing.map(({ sequence: _, ...entry }) => statement(build.insert(activityLogs).values(entry))),
  );
  const taken = missing.map(({ id }) => id);
  await commit({ db: d1 }, [
    statement(
      build
        .delete(activityLogs)
        .where(and(eq(activityLogs.account_id, accountId), inArray(activityLogs.id, taken))),
    ),
  ]);
}
