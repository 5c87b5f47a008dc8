import { and, eq, isNull, lt, or } from "drizzle-orm";
import type { Db, Statement } from "../db/client.ts";
import { ConstraintError, commit } from "../db/commit.ts";
import { build, statement } from "../db/statement.ts";
import { DomainError, notFound } from "../errors.ts";
import { newId } from "../lib/ids.ts";
import { hashOfKey, newKeyText } from "./api-key.ts";
import type { NewAccount } from "./rules.ts";
import { type Account, type ApiKey, accounts, apiKeys } from "./tables.ts";

/** The text of a key is only ever here: it is shown once and not stored. */
export type IssuedKey = { key: ApiKey; text: string };

const issue = async (accountId: string, name: string, now: string): Promise<IssuedKey> => {
  const id = newId();
  const text = newKeyText(id);
  const key_hash = await hashOfKey(text);
  return {
    key: { id, account_id: accountId, name, key_hash, created_at: now, last_used_at: null, revoked_at: null },
    text,
  };
};

export const accountInsert = (account: Account): Statement =>
  statement(build.insert(accounts).values(account));
export const keyInsert = (key: ApiKey): Statement => statement(build.insert(apiKeys).values(key));

/** A new account with its first key. Throws INVALID_STATE where the shop has an account. */
export const createAccount = async (
  db: Db,
  { shop, name, timezone, currency }: NewAccount,
  now: string,
): Promise<{ account: Account; text: string }> => {
  const id = newId();
  const account: Account = {
    id,
    name: name ?? shop,
    shop,
    timezone,
    currency_code: currency,
    created_at: now,
    updated_at: now,
  };
  const { key, text } = await issue(id, "default", now);
  try {
    await commit({ db }, [accountInsert(account), keyInsert(key)]);
  } catch (error) {
    if (error instanceof ConstraintError && error.on === "accounts.shop")
      throw new DomainError("INVALID_STATE", `The shop ${shop} has an account already`);
    throw error;
  }
  return { account, text };
};

export const createKey = async (db: Db, accountId: string, name: string, now: string): Promise<IssuedKey> => {
  const issued = await issue(accountId, name, now);
  await commit({ db }, [keyInsert(issued.key)]);
  return issued;
};

/** Revoking is final. Throws NOT_FOUND for a key that is unknown or revoked already. */
export const revokeKey = async (db: Db, keyId: string, now: string): Promise<void> => {
  const [result] = await commit({ db }, [
    statement(
      build
        .update(apiKeys)
        .set({ revoked_at: now })
        .where(and(eq(apiKeys.id, keyId), isNull(apiKeys.revoked_at)))
        .returning({ id: apiKeys.id }),
    ),
  ]);
  if (result?.rows.length === 0) throw notFound("Living key");
};

/** Notes that a key was used, at most hourly. */
export const touchKey = (db: Db, keyId: string, now: string, anHourAgo: string): Promise<unknown> =>
  commit({ db }, [
    statement(
      build
        .update(apiKeys)
        .set({ last_used_at: now })
        .where(
          and(eq(apiKeys.id, keyId), or(isNull(apiKeys.last_used_at), lt(apiKeys.last_used_at, anHourAgo))),
        ),
    ),
  ]);
