import type { Account } from "../../base/accounts/tables.ts";
import { commit } from "../../base/db/commit.ts";
import type { Db } from "../../base/db/port.ts";
import { type AccountTable, deleteSome } from "../../domain/privacy/account-tables.ts";
import { guardUnmoved, updateAsRead } from "./as-read.ts";
import { opened } from "./move/fence.ts";

/** The most rows that one batch deletes. */
export const batchSize = 500;

/**
 * Deletes rows of an account that stands behind its fence, and returns how many. A guard refuses it if another call has gone on. Deleting
 * writes to counters, so the fence is opened for this batch alone.
 */
export async function removeThrough(d1: Db, account: Account, table: AccountTable): Promise<number> {
  const { moving } = account;
  const results = await commit({ db: d1 }, [
    guardUnmoved(account),
    updateAsRead(account, { moving: opened }),
    deleteSome(table, account.id, batchSize),
    updateAsRead({ ...account, moving: opened }, { moving }),
  ]);
  return results[2]!.rows.length;
}
