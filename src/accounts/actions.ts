import { and, eq, isNull, lt, or } from "drizzle-orm";
import type { Db, Statement } from "../db/client.ts";
import { ConstraintError, commit, type Writer } from "../db/commit.ts";
import { guard, isGuard } from "../db/decide.ts";
import { build, statement } from "../db/statement.ts";
import { DomainError, notFound } from "../errors.ts";
import { newId } from "../lib/ids.ts";
import { hashOfKey, newKeyText } from "./api-key.ts";
import { forgetAccount } from "./queries.ts";
import type { NewAccount } from "./rules.ts";
import { defaultSettings } from "./settings.ts";
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
    ...defaultSettings,
  };
  const { key, text } = await issue(id, "default", now);
  try {
    await commit({ db }, [accountInsert(account), keyInsert(key)]);
  } catch (error) {
    if (error instanceof ConstraintError && error.on === "accounts.shop") throw shopTaken(shop);
    throw error;
  }
  return { account, text };
};

export const createKey = async (db: Db, accountId: string, name: string, now: string): Promise<IssuedKey> => {
  const issued = await issue(accountId, name, now);
  await commit({ db }, [keyInsert(issued.key)]);
  return issued;
};

type Settings = Partial<
  Pick<
    Account,
    | "name"
    | "timezone"
    | "currency_code"
    | "dunning_retry_days"
    | "dunning_final_action"
    | "payment_reminder_days_before"
    | "out_of_stock_action"
    | "prepaid_on_end"
  >
>;

/** Amounts are kept in minor units of the currency they were told in: nothing may stand in another. */
const isStillUnpriced = (accountId: string, currency: string): Statement =>
  guard(
    `EXISTS (SELECT 1 FROM accounts WHERE id = ? AND currency_code <> ?)
      AND (EXISTS (SELECT 1 FROM selling_plans WHERE account_id = ?)
        OR EXISTS (SELECT 1 FROM subscriptions WHERE account_id = ?) OR EXISTS (SELECT 1 FROM orders WHERE account_id = ?))`,
    [accountId, currency, accountId, accountId, accountId],
  );

export const shopTaken = (shop: string): DomainError =>
  new DomainError("INVALID_STATE", `The shop ${shop} has an account already`);

/**
 * Changes what is named of an account, and answers it as it is then. Throws INVALID_STATE for another currency once
 * something is priced. Its shop is renamed by operators alone (rename.ts).
 */
export const changeAccount = async (
  writer: Writer,
  id: string,
  values: Settings,
  now: string,
): Promise<Account> => {
  const { currency_code } = values;
  const update = build
    .update(accounts)
    .set({ ...values, updated_at: now })
    .where(eq(accounts.id, id))
    .returning();
  const guards = currency_code === undefined ? [] : [isStillUnpriced(id, currency_code)];
  try {
    const results = await commit(writer, [...guards, statement(update)]);
    return results.at(-1)?.rows[0] as unknown as Account;
  } catch (error) {
    if (isGuard(error))
      throw new DomainError(
        "INVALID_STATE",
        "Cannot change the currency: there are plans, subscriptions or orders in it",
      );
    throw error;
  } finally {
    forgetAccount(id);
  }
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
