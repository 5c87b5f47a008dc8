import { insertAccount } from "../../base/accounts/actions.ts";
import { closingOf } from "../../base/accounts/closed.ts";
import { readEntry } from "../../base/accounts/queries.ts";
import { accounts, type ForeignAccount } from "../../base/accounts/tables.ts";
import { openDb, openDirectory } from "../../base/db/client.ts";
import { commit } from "../../base/db/commit.ts";
import type { Db } from "../../base/db/port.ts";
import { build, first, prepare, raw, read } from "../../base/db/statement.ts";
import type { Env } from "../../base/env.ts";
import { accountTables } from "../../domain/privacy/account-tables.ts";
import { erasedAccounts } from "../../domain/privacy/tables.ts";
import { beingFilled, isBeingFilled } from "../../edges/operator/move/being-filled.ts";
import { mayBeBegun, mayBeErased } from "../../edges/operator/move/state.ts";
import { followDirectory, updateFilled } from "./directory.ts";

/**
 * The row of the object's own account. The first call begins it with what the directory has, the history of its keys included; from then
 * on the object's own row counts. A copy that is being made in the object is an account's once the directory sends callers to it.
 * Throws for a call about another account, whose rows are not here, and for one that was erased.
 */
export async function openAccount(env: Env, given: ForeignAccount): Promise<void> {
  const db = openDb(env);
  const [[own], [erased]] = await read(db, [selectOwnAccount({}), selectErasedAccount({})]);
  if (erased) throw new Error(`${erased.id} was erased`);
  if (own && own.id !== given.id) throw new Error(`This object is that of ${own.id}, not of ${given.id}`);
  const isServed = given.engine === "object" && !closingOf(given);
  if (!own) await beginObject(env, { ...given, engine: "object", moving: isServed ? null : beingFilled });
  else if (isServed && isBeingFilled(own)) await commit({ db }, [updateFilled(given)]);
}

/**
 * Whether the directory says that an account has an object, or gets one. The object asks before it begins: a caller may not know yet that
 * the account was deleted, has moved away, or stays where it is.
 */
export async function isExpected(env: Env, { id }: ForeignAccount): Promise<boolean> {
  const entry = await readEntry(openDirectory(env), { id });
  return entry !== undefined && mayBeBegun(entry);
}

/**
 * Whether the object's account has left it, or is deleted. The object asks before it ends: a call that was to delete what a move had left
 * behind can come after another has brought the account back.
 */
export async function isLeft(env: Env): Promise<boolean> {
  const own = await first(openDb(env), selectOwnAccount({}));
  const entry = own && (await readEntry(openDirectory(env), { id: own.id }));
  return !entry || mayBeErased(entry);
}

/** The number of rows of accounts that the object has, by table. */
export async function countRows(db: Db): Promise<Record<string, number>> {
  const tables = await accountTables(db);
  const counts = await read<{ count: number }[]>(
    db,
    tables.map(({ name }) => raw<{ count: number }>(`SELECT COUNT(*) AS count FROM "${name}"`)),
  );
  const found = tables.map(({ name }, nth): [string, number] => [name, counts[nth]?.[0]?.count ?? 0]);
  return Object.fromEntries(found.filter(([, count]) => count > 0));
}

/** Whether the object has begun its account, and has not erased it. */
export async function hasAccount(db: Db): Promise<boolean> {
  return (await first(db, selectOwnAccount({}))) !== undefined;
}

async function beginObject(env: Env, account: ForeignAccount): Promise<void> {
  await commit({ db: openDb(env) }, [insertAccount(account)]);
  if (account.moving === null) await followDirectory(env);
}

const selectOwnAccount = prepare(() =>
  build.select({ id: accounts.id, moving: accounts.moving }).from(accounts).limit(1),
);
const selectErasedAccount = prepare(() =>
  build.select({ id: erasedAccounts.id }).from(erasedAccounts).limit(1),
);
