import { eq } from "drizzle-orm";
import { accountInsert } from "../accounts/actions.ts";
import { type Account, accounts } from "../accounts/tables.ts";
import { type Db, openDb } from "../db/client.ts";
import { commit } from "../db/commit.ts";
import { build, first, prepare, read, statement } from "../db/statement.ts";
import type { Env } from "../env.ts";
import { beingFilled } from "../operator/move/state.ts";
import { erasedAccounts } from "../privacy/tables.ts";
import { followDirectory } from "./directory.ts";

/**
 * The row of the object's own account. The first call begins it with what the directory has, the history of its keys included; from then
 * on the object's own row counts. A copy that is being made in the object is an account's once the directory sends callers to it.
 * Throws for a call about another account, whose rows are not here, and for one that was erased.
 */
export async function openAccount(env: Env, given: Account): Promise<void> {
  const db = openDb(env);
  const [[own], [erased]] = await read(db, [ownAccount({}), erasedAccount({})]);
  if (erased) throw new Error(`${erased.id} was erased`);
  if (own && own.id !== given.id) throw new Error(`This object is that of ${own.id}, not of ${given.id}`);
  const isServed = given.engine === "object";
  if (!own) await begin(env, { ...given, engine: "object", moving: isServed ? null : beingFilled });
  else if (isServed && own.moving === beingFilled) await commit({ db }, [filled(given)]);
}

async function begin(env: Env, account: Account): Promise<void> {
  await commit({ db: openDb(env) }, [accountInsert(account)]);
  if (account.moving === null) await followDirectory(env);
}

/** Whether the object has begun its account, and has not erased it. */
export async function hasAccount(db: Db): Promise<boolean> {
  return (await first(db, ownAccount({}))) !== undefined;
}

const ownAccount = prepare(() =>
  build.select({ id: accounts.id, moving: accounts.moving }).from(accounts).limit(1),
);
const erasedAccount = prepare(() => build.select({ id: erasedAccounts.id }).from(erasedAccounts).limit(1));

function filled({ id }: Account) {
  return statement(build.update(accounts).set({ moving: null }).where(eq(accounts.id, id)));
}
