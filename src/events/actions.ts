import type { Db } from "../db/client.ts";
import { commit } from "../db/commit.ts";
import { raw } from "../db/statement.ts";

/** More events than an account has in the time that a restore takes back. */
const gap = 1_000_000;

/**
 * Has every account's stream go on above all numbers that it can have given before a restore, so that no reader takes a new
 * event for one that it has seen. Accounts that had none are raised too. Returns how many accounts there are. The builder
 * cannot insert what it selects beside a constant.
 */
export const raiseSequences = async (db: Db): Promise<number> => {
  const [raised] = await commit({ db }, [
    raw(
      `INSERT INTO event_sequences (account_id, last) SELECT id, CAST(? AS INTEGER) FROM accounts WHERE TRUE
        ON CONFLICT DO UPDATE SET last = last + excluded.last RETURNING account_id`,
      gap,
    ),
  ]);
  return raised.rows.length;
};
