import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import { type Account, accounts, builtInStore } from "../../../base/accounts/tables.ts";
import type { AccountSeq } from "../../../base/db/columns.ts";
import { ConstraintError, commit } from "../../../base/db/commit.ts";
import { guard, isGuard } from "../../../base/db/guard.ts";
import type { Db, Statement } from "../../../base/db/port.ts";
import { build, statement } from "../../../base/db/statement.ts";
import { DomainError, type ErrorDetail } from "../../../base/errors.ts";
import { contractSyncs } from "../../../domain/subscriptions/tables.ts";
import { AccessDeniedError } from "../../port.ts";
import { requestShopify, type ShopAccess } from "../client.ts";
import { readAnyCustomer, readInstallation } from "../documents.ts";
import { type Registered, refusedTopics, registerWebhooks } from "../register-webhooks.ts";
import { shopifyConnections } from "../tables.ts";
import { openFreshConnection, type StoredCredentials, writeConnection } from "./connection.ts";
import { isMyshopifyDomain } from "./domain.ts";
import { missingScopes, scopesFor, scopesToAskFor } from "./scopes.ts";

/**
 * Connects an account to its Shopify store, or replaces its credentials. They are tried at the account's own myshopify.com
 * domain and stored with it. With `registers` the store sends its webhooks to the address before anything is stored, else by a job once
 * it is connected; our plans are sent there after that. Throws INVALID_STATE: before anything is sent, if the account's shop is no such
 * domain; and if the app lacks a scope or is denied the shop's customers, the shop or its currency is another, the store refuses a webhook that money depends on, or the
 * account has subscriptions on the sandbox store.
 */
export async function connectShopify(
  db: Db,
  key: string,
  account: Account,
  credentials: StoredCredentials,
  now: string,
  { webhooksUri, registers = false, writes = [] }: Options = {},
): Promise<Connected> {
  if (!isMyshopifyDomain(account.shop))
    throw refusal(`${account.shop} is not a store's myshopify.com domain: rename the account first`);
  const connection =
    "app_id" in credentials
      ? { shop: account.shop, token: credentials.access_token }
      : await openFreshConnection(account.shop, credentials, Date.parse(now));
  const { shop, currentAppInstallation: app } = installationSchema.parse(
    await requestShopify(connection, readInstallation, {}),
  );
  if (shop.myshopifyDomain.toLowerCase() !== account.shop)
    throw refusal(`These credentials are for ${shop.myshopifyDomain}, the account is ${account.shop}`);
  if (shop.currencyCode !== account.currency_code)
    throw refusal(`The shop sells in ${shop.currencyCode}, the account in ${account.currency_code}`);
  const currencies = [...new Set([shop.currencyCode, ...shop.enabledPresentmentCurrencies])];
  const granted = app.accessScopes.map(({ handle }) => handle);
  const missing = missingScopes(scopesFor(account), granted);
  if (missing.length > 0) throw refusal(`The app lacks the scopes ${missing.join(", ")}`);
  await requireCustomerData(connection);
  const webhooks = registers && webhooksUri ? await requireWebhooks(connection, webhooksUri) : [];
  try {
    await commit({ db }, [
      ...writes,
      guardShop(account.id, account.shop),
      guardEmptyInSandbox(account),
      noteUninstallation(account.seq, now),
      await writeConnection(key, {
        accountId: account.id,
        shop: account.shop,
        credentials,
        now,
        webhooksUri,
      }),
      statement(
        build
          .update(accounts)
          .set({
            store: "shopify",
            store_is_live: 1,
            store_currencies: JSON.stringify(currencies),
            store_missing_scopes: JSON.stringify(missingScopes(scopesToAskFor(account), granted)),
            updated_at: now,
          })
          .where(eq(accounts.id, account.id)),
      ),
    ]);
  } catch (error) {
    if (isGuard(error))
      throw refusal(
        "The account has subscriptions, or a clock, on the sandbox store, or was renamed in the meantime",
      );
    if (error instanceof ConstraintError && error.on === "shopify_connections.shop")
      throw refusal(`Another account is connected to ${account.shop}`);
    throw error;
  }
  return {
    shop: account.shop,
    currency_code: shop.currencyCode,
    timezone: shop.ianaTimezone,
    store_currencies: currencies,
    webhooks,
  };
}

type Options = { webhooksUri?: string; registers?: boolean; writes?: Statement[] };

/** Without its customers' data nobody who subscribes at the checkout can be billed here, whatever scopes the app has. */
async function requireCustomerData(connection: ShopAccess): Promise<void> {
  await requestShopify(connection, readAnyCustomer, {}).catch((error) => {
    if (!(error instanceof AccessDeniedError)) throw error;
    const details = error.message.split("; ").map((message) => ({ path: "customer", message }));
    throw refusal(`Shopify denies the app protected customer data. ${error.message}`, details);
  });
}

async function requireWebhooks(connection: ShopAccess, uri: string): Promise<Registered[]> {
  const results = await registerWebhooks(connection, uri);
  const refused = refusedTopics(results, { required: true });
  if (refused.length === 0) return results;
  const details = refused.map((why) => ({ path: "webhooks", message: why }));
  throw refusal("The store refuses webhooks that money depends on", details);
}

/** The facts about a store that was connected; the currencies are all in which it sells, the account's first. */
type Connected = {
  shop: string;
  currency_code: string;
  timezone: string;
  store_currencies: string[];
  /** The registration of each webhook, where they were registered at once. */
  webhooks: Registered[];
};

const installationSchema = z.object({
  shop: z.object({
    myshopifyDomain: z.string(),
    currencyCode: z.string(),
    ianaTimezone: z.string(),
    enabledPresentmentCurrencies: z.array(z.string()),
  }),
  currentAppInstallation: z.object({ accessScopes: z.array(z.object({ handle: z.string() })) }),
});

function refusal(message: string, details?: ErrorDetail[]): DomainError {
  return new DomainError("INVALID_STATE", message, details);
}

/** The credentials were verified for this shop, so the account must not have been renamed since. */
function guardShop(accountId: string, shop: string) {
  return guard("NOT EXISTS (SELECT 1 FROM accounts WHERE id = ? AND shop = ?)", [accountId, shop]);
}

/** The contracts of an app that was uninstalled are compared at once: Shopify may have cancelled them meanwhile. */
function noteUninstallation(accountSeq: AccountSeq, now: string) {
  const { account_seq, disconnected_at } = shopifyConnections;
  const since = sql`(SELECT ${disconnected_at} FROM ${shopifyConnections} WHERE ${account_seq} = ${accountSeq})`;
  return statement(
    build
      .update(contractSyncs)
      .set({
        renewed_since: since,
        next_action_at: now,
        tries: 0,
        version: sql`${contractSyncs.version} + 1`,
      })
      .where(and(eq(contractSyncs.account_seq, accountSeq), sql`${since} IS NOT NULL`)),
  );
}

/** Contracts and charges remain at the store that made them, and a test clock works in the sandbox alone. */
function guardEmptyInSandbox({ seq }: Account) {
  return guard(
    `EXISTS (SELECT 1 FROM accounts WHERE seq = ? AND store = '${builtInStore}'
      AND (clock_at IS NOT NULL OR EXISTS (SELECT 1 FROM subscriptions WHERE account_seq = ?)))`,
    [seq, seq],
  );
}
