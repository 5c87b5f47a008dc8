import { and, asc, eq, inArray } from "drizzle-orm";
import { type Account, accounts } from "../accounts/tables.ts";
import { openDb, openDirectory } from "../db/client.ts";
import { commit } from "../db/commit.ts";
import { build, first, read, statement } from "../db/statement.ts";
import type { Env } from "../env.ts";
import { insertOnce } from "../journal/insert-once.ts";
import { activityLogs } from "../journal/tables.ts";

const entriesAtOnce = 100;

/**
 * Takes over what operators have changed in the directory since the last look: the account's shop, and the history of its keys, which was
 * written with them. Repeated after a crash it changes nothing. While the account moves, what the directory has of its history are copies. False if the directory does not know the account: it was erased.
 */
export async function followDirectory(env: Env): Promise<boolean> {
  const [own, directory] = [openDb(env), openDirectory(env)];
  const account = await first(own, statement(build.select().from(accounts).limit(1)));
  if (!account) return true;
  const [[known], entries] = await read(directory, [entryOf(account), historyOf(account)]);
  if (!known) return false;
  if (known.moving !== null) return true;
  if (known.shop !== account.shop) await commit({ db: own }, [renaming(account, known.shop)]);
  if (entries.length === 0) return true;
  await commit({ db: own }, entries.map(insertOnce));
  await commit({ db: directory }, [
    deletion(
      account,
      entries.map(({ sequence }) => sequence),
    ),
  ]);
  return true;
}

function renaming({ id }: Account, shop: string) {
  return statement(build.update(accounts).set({ shop }).where(eq(accounts.id, id)));
}

function entryOf({ id }: Account) {
  return statement(
    build.select({ shop: accounts.shop, moving: accounts.moving }).from(accounts).where(eq(accounts.id, id)),
  );
}

function historyOf({ id }: Account) {
  return statement(
    build
      .select()
      .from(activityLogs)
      .where(eq(activityLogs.account_id, id))
      .orderBy(asc(activityLogs.sequence))
      .limit(entriesAtOnce),
  );
}

function deletion({ id }: Account, sequences: number[]) {
  const { account_id, sequence } = activityLogs;
  return statement(build.delete(activityLogs).where(and(eq(account_id, id), inArray(sequence, sequences))));
}
