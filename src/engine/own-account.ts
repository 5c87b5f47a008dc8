import { accountInsert } from "../accounts/actions.ts";
import { type Account, accounts } from "../accounts/tables.ts";
import { openDb } from "../db/client.ts";
import { commit } from "../db/commit.ts";
import { build, first, prepare } from "../db/statement.ts";
import type { Env } from "../env.ts";

/**
 * The row of the object's own account. The first call begins it with what the directory has; from then on the object's own count.
 * Throws for a call about another account, whose rows are not here.
 */
export async function openAccount(env: Env, given: Account): Promise<void> {
  const db = openDb(env);
  const own = await first(db, ownAccount({}));
  if (own && own.id !== given.id) throw new Error(`This object is that of ${own.id}, not of ${given.id}`);
  if (!own) await commit({ db }, [accountInsert(given)]);
}

const ownAccount = prepare(() => build.select({ id: accounts.id }).from(accounts).limit(1));
