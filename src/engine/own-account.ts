import { accountInsert } from "../accounts/actions.ts";
import { type Account, accounts } from "../accounts/tables.ts";
import { type Db, openDb } from "../db/client.ts";
import { commit } from "../db/commit.ts";
import { build, first, prepare, read } from "../db/statement.ts";
import type { Env } from "../env.ts";
import { erasedAccounts } from "../privacy/tables.ts";
import { followDirectory } from "./directory.ts";

/**
 * The row of the object's own account. The first call begins it with what the directory has, the history of its keys included; from then
 * on the object's own row counts. Throws for a call about another account, whose rows are not here, and for one that was erased.
 */
export async function openAccount(env: Env, given: Account): Promise<void> {
  const db = openDb(env);
  const [[own], [erased]] = await read(db, [ownAccount({}), erasedAccount({})]);
  if (erased) throw new Error(`${erased.id} was erased`);
  if (own && own.id !== given.id) throw new Error(`This object is that of ${own.id}, not of ${given.id}`);
  if (own) return;
  await commit({ db }, [accountInsert(given)]);
  await followDirectory(env);
}

/** Whether the object has begun its account, and has not erased it. */
export async function hasAccount(db: Db): Promise<boolean> {
  return (await first(db, ownAccount({}))) !== undefined;
}

const ownAccount = prepare(() => build.select({ id: accounts.id }).from(accounts).limit(1));
const erasedAccount = prepare(() => build.select({ id: erasedAccounts.id }).from(erasedAccounts).limit(1));
