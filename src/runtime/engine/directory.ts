import { eq } from "drizzle-orm";
import { closingOf } from "../../base/accounts/closed.ts";
import { holdsJobs } from "../../base/accounts/moving.ts";
import { type Account, accounts } from "../../base/accounts/tables.ts";
import { openDb, openDirectory } from "../../base/db/client.ts";
import { commit } from "../../base/db/commit.ts";
import { build, first, read, statement } from "../../base/db/statement.ts";
import type { Env } from "../../base/env.ts";
import { isBeingFilled } from "../../edges/operator/move/being-filled.ts";
import { selectKeyHistory, takeOverEntries } from "../../edges/operator/move/history.ts";

/**
 * Takes over what operators have changed in the directory since the last look: that it is open, its shop, and the history of its keys, a page
 * at a time. Repeated after a crash it changes nothing. While the account moves, the move itself does so. Says whether work on the account
 * may be begun; the directory has forgotten one that was erased.
 */
export async function followDirectory(env: Env): Promise<"open" | "closed" | "forgotten"> {
  const [own, directory] = [openDb(env), openDirectory(env)];
  const account = await first(own, statement(build.select().from(accounts).limit(1)));
  if (!account) return "open";
  const [[known], entries] = await read(directory, [selectEntry(account), selectKeyHistory(account.id)]);
  if (!known) return "forgotten";
  if (known.moving !== null) return closingOf(known) || holdsJobs(known) ? "closed" : "open";
  if (isBeingFilled(account) && known.engine === "object") await commit({ db: own }, [updateFilled(account)]);
  if (known.shop !== account.shop) await commit({ db: own }, [updateShop(account, known.shop)]);
  await takeOverEntries({ d1: directory, object: own, accountId: account.id }, entries, { keepKnown: false });
  return "open";
}

/** A copy that was being made in the object is an account's once the directory sends callers to it. */
export function updateFilled({ id }: Pick<Account, "id">) {
  return statement(build.update(accounts).set({ moving: null }).where(eq(accounts.id, id)));
}

function updateShop({ id }: Account, shop: string) {
  return statement(build.update(accounts).set({ shop }).where(eq(accounts.id, id)));
}

function selectEntry({ id }: Account) {
  return statement(
    build
      .select({ shop: accounts.shop, engine: accounts.engine, moving: accounts.moving })
      .from(accounts)
      .where(eq(accounts.id, id)),
  );
}
