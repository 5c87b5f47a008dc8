import { isOpen } from "../../base/accounts/closed.ts";
import { commit } from "../../base/db/commit.ts";
import type { Db } from "../../base/db/port.ts";
import { raw } from "../../base/db/statement.ts";

/**
 * After a restore, raises the next sequence number of every account, or of one, above all numbers that may have been used before, so that
 * no reader mistakes a new event for one it has seen; and the next account's number, so that none is taken for another that the restore
 * has undone. Returns the number of accounts. Raw, because the builder cannot insert a selection beside a constant.
 */
export async function raiseSequences(db: Db, accountId?: string): Promise<number> {
  const [raised] = await commit({ db }, [
    raw(
      `INSERT INTO event_sequences (account_seq, last)
        SELECT seq, CAST(?1 AS INTEGER) + COALESCE(
          (SELECT MAX(sequence) FROM activity_logs WHERE account_seq = accounts.seq AND sequence IS NOT NULL), 0)
        FROM accounts WHERE engine = ?2 AND ${isOpen} AND id = COALESCE(?3, id)
        ON CONFLICT DO UPDATE SET last = MAX(last + CAST(?1 AS INTEGER), excluded.last) RETURNING account_seq`,
      gap,
      db.engine,
      accountId ?? null,
    ),
    ...(db.engine === "d1" ? [raiseAccountNumbers] : []),
  ]);
  return raised.rows.length;
}

/** An object has no account but its own. */
const raiseAccountNumbers = raw(
  "UPDATE sqlite_sequence SET seq = seq + CAST(? AS INTEGER) WHERE name = 'accounts'",
  100_000,
);

/** More events than an account can have in the time that a restore undoes. */
const gap = 1_000_000;
