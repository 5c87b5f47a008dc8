import { eq, sql } from "drizzle-orm";
import { ConstraintError, commit } from "../db/commit.ts";
import { guard, isGuard } from "../db/guard.ts";
import type { Db, Statement } from "../db/port.ts";
import { build, statement } from "../db/statement.ts";
import { DomainError } from "../errors.ts";
import { newShopTakenError } from "./actions.ts";
import { insertAccountEntry, operator } from "./history.ts";
import { forgetAccount, readEntry } from "./queries.ts";
import { type Account, accounts, builtInStore } from "./tables.ts";

type Renaming = { account: Pick<Account, "seq" | "id" | "shop">; shop: string; now: string };

/**
 * Gives an account another shop, with an entry in the history, and returns the account as it then is. Only operators may: the
 * public portal finds an account by its shop. Throws INVALID_STATE if the shop has an account, and if this account is or was
 * connected to a store: the credentials, contracts and orders that it holds belong to that one store.
 */
export async function renameAccount(db: Db, { account, shop, now }: Renaming): Promise<Account> {
  const update = build
    .update(accounts)
    .set({ shop, updated_at: now })
    .where(eq(accounts.id, account.id))
    .returning();
  try {
    const results = await commit({ db }, [
      guardNeverConnected(account),
      insertRenamingEntry({ account, shop, now }),
      statement(update),
    ]);
    return results.at(-1)?.rows[0] as Account;
  } catch (error) {
    throw refusalOf(error, { account, shop, now });
  } finally {
    forgetAccount(account.id);
  }
}

/**
 * The rest of a renaming whose account is in an object: the directory names the shop. If the shop has been taken meanwhile, the object's
 * next call gives the account its old shop back.
 */
export async function renameInDirectory(db: Db, renaming: Renaming): Promise<void> {
  const { account, shop } = renaming;
  const update = build.update(accounts).set({ shop }).where(eq(accounts.id, account.id));
  try {
    await commit({ db }, [statement(update)]);
  } catch (error) {
    throw refusalOf(error, renaming);
  }
}

/** Throws INVALID_STATE if the shop has an account, even one that is closed. */
export async function requireFreeShop(db: Db, shop: string): Promise<void> {
  if (await readEntry(db, { shop })) throw newShopTakenError(shop);
}

/** The entry refuses the batch if the account no longer has the shop that it was read with. */
function insertRenamingEntry({ account, shop, now }: Renaming): Statement {
  const unchangedId = sql<string>`(SELECT ${accounts.id} FROM ${accounts}
    WHERE ${accounts.id} = ${account.id} AND ${accounts.shop} = ${account.shop})`;
  return insertAccountEntry({
    account: account.seq,
    action: "account_updated",
    subject: { type: "account", id: unchangedId },
    changes: { shop: { from: account.shop, to: shop } },
    author: operator,
    now,
  });
}

function guardNeverConnected({ seq }: Pick<Account, "seq">): Statement {
  return guard(
    `EXISTS (SELECT 1 FROM accounts WHERE seq = ? AND store <> '${builtInStore}')
      OR EXISTS (SELECT 1 FROM shopify_connections WHERE account_seq = ?)`,
    [seq, seq],
  );
}

function refusalOf(error: unknown, { account, shop }: Renaming): unknown {
  if (isGuard(error))
    return new DomainError(
      "INVALID_STATE",
      `The account is connected to ${account.shop}, or was: its credentials and contracts are that store's`,
    );
  if (!(error instanceof ConstraintError)) return error;
  if (error.on === "activity_logs.loggable_id")
    return new DomainError("VERSION_CONFLICT", `The account is no longer that of ${account.shop}`);
  return error.on === "accounts.shop" ? newShopTakenError(shop) : error;
}
