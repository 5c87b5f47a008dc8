import { and, asc, eq, inArray } from "drizzle-orm";
import { closingOf } from "../accounts/closed.ts";
import { type Account, accounts } from "../accounts/tables.ts";
import { openDb, openDirectory } from "../db/client.ts";
import { commit } from "../db/commit.ts";
import { build, first, read, statement } from "../db/statement.ts";
import type { Env } from "../env.ts";
import { activityLogs } from "../journal/tables.ts";
import { beingFilled } from "../operator/move/state.ts";

const entriesAtOnce = 100;

/**
 * Takes over what operators have changed in the directory since the last look: that it is open, its shop, and the history of its keys, which was
 * written with them. Repeated after a crash it changes nothing. While the account moves, what the directory has of its history are copies. Says whether the account is open there; it has forgotten one that was erased.
 */
export async function followDirectory(env: Env): Promise<"open" | "closed" | "forgotten"> {
  const [own, directory] = [openDb(env), openDirectory(env)];
  const account = await first(own, statement(build.select().from(accounts).limit(1)));
  if (!account) return "open";
  const [[known], entries] = await read(directory, [entryOf(account), historyOf(account)]);
  if (!known) return "forgotten";
  if (known.moving !== null) return closingOf(known) ? "closed" : "open";
  if (account.moving === beingFilled && known.engine === "object")
    await commit({ db: own }, [filled(account)]);
  if (known.shop !== account.shop) await commit({ db: own }, [renaming(account, known.shop)]);
  if (entries.length === 0) return "open";
  const moved = entries.map(({ sequence: _, ...entry }) =>
    statement(build.insert(activityLogs).values(entry).onConflictDoNothing()),
  );
  await commit({ db: own }, moved);
  await commit({ db: directory }, [
    deletion(
      account,
      entries.map(({ id }) => id),
    ),
  ]);
  return "open";
}

/** A copy that was being made in the object is an account's once the directory sends callers to it. */
export function filled({ id }: Account) {
  return statement(build.update(accounts).set({ moving: null }).where(eq(accounts.id, id)));
}

function renaming({ id }: Account, shop: string) {
  return statement(build.update(accounts).set({ shop }).where(eq(accounts.id, id)));
}

function entryOf({ id }: Account) {
  return statement(
    build
      .select({ shop: accounts.shop, engine: accounts.engine, moving: accounts.moving })
      .from(accounts)
      .where(eq(accounts.id, id)),
  );
}

function historyOf({ id }: Account) {
  return statement(
    build
      .select()
      .from(activityLogs)
      .where(eq(activityLogs.account_id, id))
      .orderBy(asc(activityLogs.id))
      .limit(entriesAtOnce),
  );
}

function deletion({ id: accountId }: Account, ids: string[]) {
  const { account_id, id } = activityLogs;
  return statement(build.delete(activityLogs).where(and(eq(account_id, accountId), inArray(id, ids))));
}
