import { z } from "zod";
import type { Account } from "../../accounts/tables.ts";
import type { Db } from "../../db/client.ts";
import { ConstraintError, commit } from "../../db/commit.ts";
import { guard, isGuard } from "../../db/decide.ts";
import { DomainError } from "../../errors.ts";
import { requestShopify } from "./client.ts";
import { type Credentials, connectionWrite, freshConnectionOf } from "./connection.ts";
import { readShop } from "./documents.ts";
import { isMyshopifyDomain } from "./domain.ts";

const shopSchema = z.object({
  shop: z.object({ myshopifyDomain: z.string(), currencyCode: z.string(), ianaTimezone: z.string() }),
});

const refused = (message: string): DomainError => new DomainError("INVALID_STATE", message);

/** Contracts and charges live at the store they were made at, and so does a test clock's time. */
const holdsNothing = (accountId: string) =>
  guard(
    `EXISTS (SELECT 1 FROM accounts WHERE id = ? AND store = 'sandbox'
      AND (clock_at IS NOT NULL OR EXISTS (SELECT 1 FROM subscriptions WHERE account_id = ?)))`,
    [accountId, accountId],
  );

/** The account still has the shop that the credentials were verified for. */
const isStillOf = (accountId: string, shop: string) =>
  guard("NOT EXISTS (SELECT 1 FROM accounts WHERE id = ? AND shop = ?)", [accountId, shop]);

/**
 * Connects an account to its Shopify store, or gives it other credentials. They are tried first, at the account's own
 * myshopify.com domain, and kept with it. Throws INVALID_STATE, before anything is sent, where the account's shop is no
 * such domain; and where the shop or its currency is another, or the account has subscriptions on the sandbox store.
 */
export const connectShopify = async (
  db: Db,
  key: string,
  account: Account,
  credentials: Credentials,
  now: string,
): Promise<{ shop: string; currency_code: string; timezone: string }> => {
  if (!isMyshopifyDomain(account.shop))
    throw refused(`${account.shop} is not a store's myshopify.com domain: rename the account first`);
  const connection = await freshConnectionOf(account.shop, credentials, Date.parse(now));
  const { shop } = shopSchema.parse(await requestShopify(connection, readShop, {}));
  if (shop.myshopifyDomain.toLowerCase() !== account.shop)
    throw refused(`These credentials are for ${shop.myshopifyDomain}, the account is ${account.shop}`);
  if (shop.currencyCode !== account.currency_code)
    throw refused(`The shop sells in ${shop.currencyCode}, the account in ${account.currency_code}`);
  const connected = {
    sql: "UPDATE accounts SET store = 'shopify', updated_at = ? WHERE id = ?",
    params: [now, account.id],
  };
  try {
    await commit({ db }, [
      isStillOf(account.id, account.shop),
      holdsNothing(account.id),
      await connectionWrite(key, { accountId: account.id, shop: account.shop, credentials, now }),
      connected,
    ]);
  } catch (error) {
    if (isGuard(error))
      throw refused(
        "The account has subscriptions, or a clock, on the sandbox store, or was renamed meanwhile",
      );
    if (error instanceof ConstraintError && error.on === "shopify_connections.shop")
      throw refused(`Another account is connected to ${account.shop}`);
    throw error;
  }
  return { shop: account.shop, currency_code: shop.currencyCode, timezone: shop.ianaTimezone };
};
