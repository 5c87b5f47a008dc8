import { type Instant, later } from "../lib/dates.ts";
import type { Db } from "./client.ts";
import { commit } from "./commit.ts";

const againMs = 60_000;

/**
 * Rows of an outbox whose next_action_at has come, the longest waiting first: a message of theirs was lost, or is to be sent
 * again. Each is put off by a minute, so that no number of them can keep others from being found.
 */
export const sweep = async <R>(
  db: Db,
  { table, id, size }: { table: string; id: string; size: number },
  realNow: Instant,
): Promise<R[]> => {
  const [swept] = await commit({ db }, [
    {
      sql: `UPDATE ${table} SET next_action_at = ? WHERE rowid IN (SELECT rowid FROM ${table}
        WHERE next_action_at <= ? ORDER BY next_action_at, ${id} LIMIT ?) RETURNING account_id, ${id}`,
      params: [later(realNow, againMs), realNow, size],
    },
  ]);
  return (swept?.rows ?? []) as R[];
};
