import { and, asc, eq, gt, inArray } from "drizzle-orm";
import type { Db, Statement } from "../../db/client.ts";
import { commit } from "../../db/commit.ts";
import { build, inJson, rows, statement } from "../../db/statement.ts";
import { activityLogs } from "../../journal/tables.ts";

type Entry = typeof activityLogs.$inferSelect;
type Ends = { d1: Db; object: Db; accountId: string };

/**
 * What the directory has of the history of an account with an object, a page of it: the keys of the account are changed there, and their entries
 * written with them.
 */
export function keyHistory(accountId: string, after = ""): Statement<Entry> {
  const { account_id, loggable_type, id } = activityLogs;
  return statement(
    build
      .select()
      .from(activityLogs)
      .where(and(eq(account_id, accountId), eq(loggable_type, "api_key"), gt(id, after)))
      .orderBy(asc(id))
      .limit(pageSize),
  );
}

const pageSize = 100;

/** Gives the object all of it, before rows of the history are copied the other way: what the object knows already are copies. */
export async function takeOverHistory(ends: Ends): Promise<void> {
  for (let after = ""; ; ) {
    const entries = await rows(ends.d1, keyHistory(ends.accountId, after));
    await takeOver(ends, entries, { keepKnown: true });
    if (entries.length < pageSize) return;
    after = entries.at(-1)!.id;
  }
}

/**
 * Takes entries of the directory over into the object, which gives each its place in the stream, and deletes them there. Those that it knows
 * already have been left behind by a crash, or are copies, which are kept. Repeated it changes nothing.
 */
export async function takeOver(
  { d1, object, accountId }: Ends,
  entries: Entry[],
  { keepKnown }: { keepKnown: boolean },
): Promise<void> {
  if (entries.length === 0) return;
  const known = await knownAmong(object, accountId, entries);
  const missing = entries.filter(({ id }) => !known.has(id));
  const insertions = missing.map(({ sequence: _, ...entry }) =>
    statement(build.insert(activityLogs).values(entry).onConflictDoNothing()),
  );
  if (insertions.length > 0) await commit({ db: object }, insertions);
  const taken = (keepKnown ? missing : entries).map(({ id }) => id);
  if (taken.length > 0) await commit({ db: d1 }, [deletion(accountId, taken)]);
}

async function knownAmong(object: Db, accountId: string, entries: Entry[]): Promise<Set<string>> {
  const ids = JSON.stringify(entries.map(({ id }) => id));
  const found = await rows(
    object,
    statement(
      build
        .select({ id: activityLogs.id })
        .from(activityLogs)
        .where(and(eq(activityLogs.account_id, accountId), inJson(activityLogs.id, ids))),
    ),
  );
  return new Set(found.map(({ id }) => id));
}

function deletion(accountId: string, ids: string[]): Statement {
  const { account_id, id } = activityLogs;
  return statement(build.delete(activityLogs).where(and(eq(account_id, accountId), inArray(id, ids))));
}
