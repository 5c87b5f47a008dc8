import { and, eq } from "drizzle-orm";
import type { Db } from "../db/client.ts";
import { ConstraintError, commit } from "../db/commit.ts";
import { guard, isGuard } from "../db/decide.ts";
import { build, statement } from "../db/statement.ts";
import { DomainError } from "../errors.ts";
import { shopTaken } from "./actions.ts";
import { forgetAccount } from "./queries.ts";
import { type Account, accounts } from "./tables.ts";

type Renaming = { account: Pick<Account, "id" | "shop">; shop: string; now: string };

/**
 * Gives an account another shop, and answers it as it is then. Operators alone may: the shop is where the public portal
 * finds an account. Throws INVALID_STATE where the shop has an account, and where this account is connected to a store or
 * has been: what it holds there, credentials, contracts and orders, is that one store's.
 */
export async function renameAccount(db: Db, { account, shop, now }: Renaming): Promise<Account> {
  try {
    const [, renamed] = await commit({ db }, [neverConnected(account.id), update(account, shop, now)]);
    const [row] = renamed?.rows ?? [];
    if (!row) throw new DomainError("VERSION_CONFLICT", `The account is no longer that of ${account.shop}`);
    return row as Account;
  } catch (error) {
    if (isGuard(error))
      throw new DomainError(
        "INVALID_STATE",
        `The account is connected to ${account.shop}, or was: its credentials and contracts are that store's`,
      );
    if (error instanceof ConstraintError && error.on === "accounts.shop") throw shopTaken(shop);
    throw error;
  } finally {
    forgetAccount(account.id);
  }
}

function neverConnected(accountId: string) {
  return guard(
    `EXISTS (SELECT 1 FROM accounts WHERE id = ? AND store <> 'sandbox')
      OR EXISTS (SELECT 1 FROM shopify_connections WHERE account_id = ?)`,
    [accountId, accountId],
  );
}

function update(account: Renaming["account"], shop: string, now: string) {
  return statement(
    build
      .update(accounts)
      .set({ shop, updated_at: now })
      .where(and(eq(accounts.id, account.id), eq(accounts.shop, account.shop)))
      .returning(),
  );
}
