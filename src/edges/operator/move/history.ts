import { and, eq } from "drizzle-orm";
import { endpointsField, withEndpoints } from "../../../base/accounts/key-endpoints.ts";
import { selectSeq, seqOfId } from "../../../base/db/account-seq.ts";
import { commit } from "../../../base/db/commit.ts";
import { guard } from "../../../base/db/guard.ts";
import type { Db, Statement } from "../../../base/db/port.ts";
import { build, inJson, raw, rows, statement } from "../../../base/db/statement.ts";
import { insertOnce } from "../../../kit/journal/insert-once.ts";
import { activityLogs } from "../../../kit/journal/tables.ts";
import { refuseIfOvertaken } from "../as-read.ts";

type Entry = typeof activityLogs.$inferSelect;
type Ends = { d1: Db; object: Db; accountId: string };

/**
 * The history of an account with an object that the directory has, a page of it: the keys of the account are changed there, and
 * their entries written with them. Raw, because the index is named (journal/tables.ts).
 */
export function selectKeyHistory(accountId: string, after = 0): Statement<Entry> {
  return raw<Entry>(
    `SELECT * FROM activity_logs INDEXED BY activity_logs_by_record
      WHERE account_seq = ${seqOfId} AND loggable_type = 'api_key' AND sequence > ? ORDER BY sequence LIMIT ?`,
    ...[accountId, after, pageSize],
  );
}

/** Gives the object all of it, before rows of the history are copied the other way: what the object knows already are copies. */
export async function takeOverHistory(ends: Ends): Promise<void> {
  for (let after = 0; ; ) {
    const entries = await rows(ends.d1, selectKeyHistory(ends.accountId, after));
    await takeOverEntries(ends, entries, { keepKnown: true });
    if (entries.length < pageSize) return;
    after = entries.at(-1)!.sequence;
  }
}

/**
 * Takes entries of the directory over into the object, which gives each its place in the stream, and deletes them there. Those that it knows
 * already have been left behind by a crash, or are copies, which are kept. Repeated it changes nothing.
 */
export async function takeOverEntries(
  { d1, object, accountId }: Ends,
  entries: Entry[],
  { keepKnown }: { keepKnown: boolean },
): Promise<void> {
  if (entries.length === 0) return;
  const known = await findKnownAmong(object, accountId, entries);
  const missing = entries.filter(({ id }) => !known.has(id));
  if (missing.length > 0)
    await commit(
      { db: object },
      missing.map((entry) => insertOnce(accountId, completed(accountId, entry))),
    );
  const taken = (keepKnown ? missing : entries).map(({ sequence }) => sequence);
  if (taken.length === 0) return;
  await refuseIfOvertaken(commit({ db: d1 }, [guardObject(accountId), deleteEntries(accountId, taken)]));
}

const pageSize = 100;

/** The directory does not know the endpoints of an account with an object, which the entry of a key's revocation names. */
function completed(accountId: string, entry: Entry) {
  const { action, loggable_id: keyId, metadata } = entry;
  const isIncomplete =
    action === "api_key_revoked" && metadata !== null && !metadata.includes(endpointsField);
  return isIncomplete ? { ...entry, metadata: withEndpoints(metadata, { accountId, keyId }) } : entry;
}

async function findKnownAmong(object: Db, accountId: string, entries: Entry[]): Promise<Set<string>> {
  const found = await rows(
    object,
    raw<{ id: string }>(
      `SELECT id FROM activity_logs INDEXED BY activity_logs_by_record
        WHERE account_seq = ${seqOfId} AND loggable_type = 'api_key' AND id IN (SELECT value FROM json_each(?))`,
      accountId,
      JSON.stringify(entries.map(({ id }) => id)),
    ),
  );
  return new Set(found.map(({ id }) => id));
}

/** Refuses its batch unless the account is still in its object: the entries of one that has left it are its own in the directory. */
function guardObject(accountId: string): Statement {
  return guard("NOT EXISTS (SELECT 1 FROM accounts WHERE id = ? AND engine = 'object')", [accountId]);
}

function deleteEntries(accountId: string, sequences: number[]): Statement {
  const { account_seq, sequence } = activityLogs;
  return statement(
    build
      .delete(activityLogs)
      .where(and(eq(account_seq, selectSeq(accountId)), inJson(sequence, JSON.stringify(sequences)))),
  );
}
