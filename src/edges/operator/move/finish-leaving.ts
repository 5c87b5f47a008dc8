import { and, eq } from "drizzle-orm";
import { forgetAccount } from "../../../base/accounts/queries.ts";
import { type Account, accounts } from "../../../base/accounts/tables.ts";
import { commit } from "../../../base/db/commit.ts";
import type { Db } from "../../../base/db/port.ts";
import { build, statement } from "../../../base/db/statement.ts";
import { accountTables, deleteSome } from "../../../domain/privacy/account-tables.ts";
import { dropFence, findFenceDrops } from "./fence.ts";
import { leavingMs, type Moving, type Ports, type Progress, waitMs } from "./state.ts";

/**
 * The end of a way: the account is open where it is, and its copy at the other engine is deleted, once nobody can be reading it any more.
 * Until then that copy stays behind its fence.
 */
export async function finishLeaving(ports: Ports, account: Account): Promise<Omit<Progress, "isDone">> {
  const { since } = JSON.parse(account.moving!) as Moving;
  const here = account.engine === "d1" ? ports.d1 : ports.object;
  await openAccount(here, account);
  const left = waitMs(since, ports.now, leavingMs);
  if (left > 0) return { step: "leaving", waitMs: left, rows: 0 };
  if (account.engine === "object") {
    if (!(await emptySome(ports.d1, account))) return { step: "leaving", waitMs: 0, rows: 0 };
  } else await ports.eraseObject();
  const drops = await findFenceDrops(ports.d1, account.id);
  await commit({ db: ports.d1 }, [
    ...drops,
    statement(
      build
        .update(accounts)
        .set({ moving: null })
        .where(and(eq(accounts.id, account.id), eq(accounts.moving, account.moving!))),
    ),
  ]);
  forgetAccount(account.id);
  return { step: "moved", waitMs: 0, rows: 0 };
}

const batchSize = 500;
const batchesMax = 150;

/** Nothing is refused any more where the account is. The write sets the object's alarm. */
async function openAccount(here: Db, account: Account): Promise<void> {
  await dropFence(here, account.id);
  if (here.engine === "object")
    await commit({ db: here }, [
      statement(build.update(accounts).set({ moving: null }).where(eq(accounts.id, account.id))),
    ]);
}

/** Deletes the account's rows of the directory, but its keys and its entry; false while some are left. Deleting writes to counters. */
async function emptySome(d1: Db, { id }: Account): Promise<boolean> {
  await dropFence(d1, id);
  let batches = 0;
  for (const table of await accountTables(d1)) {
    if (table.name === "api_keys") continue;
    for (;;) {
      if (++batches > batchesMax) return false;
      const [deleted] = await commit({ db: d1 }, [deleteSome(table, id, batchSize)]);
      if ((deleted?.rows.length ?? 0) < batchSize) break;
    }
  }
  return true;
}
