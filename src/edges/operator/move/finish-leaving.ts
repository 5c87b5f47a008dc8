import { movingOf } from "../../../base/accounts/moving.ts";
import { forgetAccount, readAccount } from "../../../base/accounts/queries.ts";
import type { Account } from "../../../base/accounts/tables.ts";
import { commit } from "../../../base/db/commit.ts";
import type { Db } from "../../../base/db/port.ts";
import { accountTables } from "../../../domain/privacy/account-tables.ts";
import { guardUnmoved, newOvertakenError, refuseIfOvertaken, updateAsRead } from "../as-read.ts";
import { batchSize, removeThrough } from "../delete-through.ts";
import { findFenceDrops } from "./fence.ts";
import { leavingMs, type Ports, type Progress, waitMs } from "./state.ts";

/**
 * The end of a way: the account is open where it is, and its copy at the other engine is deleted, once nobody can be reading it any more.
 * Until then that copy stays behind its fence.
 */
export async function finishLeaving(ports: Ports, account: Account): Promise<Omit<Progress, "isDone">> {
  const { since } = movingOf(account)!;
  await openAccount(ports, account);
  const left = waitMs(since, ports.now, leavingMs);
  if (left > 0) return { step: "leaving", waitMs: left, rows: 0 };
  if (account.engine === "object") {
    if (!(await emptySome(ports.d1, account))) return { step: "leaving", waitMs: 0, rows: 0 };
  } else await ports.eraseObject();
  const drops = await findFenceDrops(ports.d1, account.id);
  const ended = updateAsRead(account, { moving: null });
  await refuseIfOvertaken(commit({ db: ports.d1 }, [guardUnmoved(account), ...drops, ended]));
  forgetAccount(account.id);
  return { step: "moved", waitMs: 0, rows: 0 };
}

const batchesMax = 150;

/**
 * Nothing is refused any more where the account is. The write sets the object's alarm. A fence that another call has put up meanwhile stays:
 * it comes with another state in the row beside it.
 */
async function openAccount(ports: Ports, account: Account): Promise<void> {
  const here = account.engine === "d1" ? ports.d1 : ports.object;
  const own = await readAccount(here, account.id);
  const latest = await readAccount(ports.d1, account.id);
  if (!own || latest?.moving !== account.moving) throw newOvertakenError();
  const drops = await findFenceDrops(here, account.id);
  const opening = here.engine === "object" ? [updateAsRead(own, { moving: null })] : [];
  await refuseIfOvertaken(commit({ db: here }, [guardUnmoved(own), ...opening, ...drops]));
}

/**
 * Deletes the account's rows of the directory, but its keys and its entry; false while some are left. They stay behind their fence to the
 * last, so that nobody who is very late writes to them, and it is opened for each batch alone, as deleting writes to counters.
 */
async function emptySome(d1: Db, account: Account): Promise<boolean> {
  let batches = 0;
  for (const table of await accountTables(d1)) {
    if (table.name === "api_keys") continue;
    for (;;) {
      if (++batches > batchesMax) return false;
      const deleted = await refuseIfOvertaken(removeThrough(d1, account, table));
      if (deleted < batchSize) break;
    }
  }
  return true;
}
