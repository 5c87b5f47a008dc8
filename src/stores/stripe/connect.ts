import { eq } from "drizzle-orm";
import { z } from "zod";
import { type Account, accounts } from "../../base/accounts/tables.ts";
import { commit } from "../../base/db/commit.ts";
import { guard, isGuard } from "../../base/db/guard.ts";
import type { Db } from "../../base/db/port.ts";
import { build, statement } from "../../base/db/statement.ts";
import { DomainError, invalid } from "../../base/errors.ts";
import type { StoreKeys, WritesFor } from "../keyed.ts";
import { AccessDeniedError, StoreRefusalError } from "../port.ts";
import { requestStripe } from "./client.ts";
import { findConnection, readConnection, writeConnection } from "./connection.ts";
import type { AskStripe } from "./request.ts";
import { parseResponse } from "./responses.ts";
import { registerWebhooks } from "./webhooks/register-webhooks.ts";

/**
 * Connects an account to Stripe, or replaces its keys. The secret key, which may be a restricted one, is tried, and stored with the account
 * at Stripe that it belongs to. Without a `webhook_secret` the webhook endpoint is made at `webhooksUri`, where that is given and the key may.
 * Throws VALIDATION_FAILED for keys of two modes or that Stripe refuses, and INVALID_STATE if the account would leave a store, or an
 * account at Stripe, while one of its subscriptions lives or an attempt is open.
 */
export async function connectStripe(
  db: Db,
  key: string,
  account: Account,
  keys: StoreKeys,
  now: string,
  { apiUrl, webhooksUri, writes = () => [] }: Options = {},
): Promise<Connected> {
  const isLive = requireOneMode(keys);
  if (isLive && account.clock_at !== null)
    throw refusal("The account has a test clock, which a live key does not go with");
  if (account.store !== "stripe") await requireMove(db, account, "");
  const { secret_key, publishable_key } = keys;
  const ask: AskStripe = (request) => requestStripe({ secretKey: secret_key, apiUrl }, request);
  const store = await readAccount(ask);
  await requireMove(db, account, store.id);
  const hooks = await webhooksFor(db, key, account, keys, { ask, webhooksUri, store_account: store.id });
  const connection = await writeConnection(key, {
    accountId: account.id,
    store_account: store.id,
    credentials: { secret_key, publishable_key, webhook_secrets: hooks.secrets },
    webhook_endpoint: hooks.endpoint,
    now,
  });
  try {
    await commit({ db }, [
      ...writes(store.id),
      guardMovable(account, store.id),
      ...(isLive ? [guardNoClock(account)] : []),
      connection,
      statement(
        build
          .update(accounts)
          .set({
            store: "stripe",
            store_is_live: isLive ? 1 : 0,
            store_currencies: null,
            store_missing_scopes: null,
            updated_at: now,
          })
          .where(eq(accounts.id, account.id)),
      ),
    ]);
  } catch (error) {
    throw isGuard(error) ? newMoveRefusal() : error;
  }
  return {
    store_account: store.id,
    is_live: isLive,
    webhook: hooks.secrets.length > 0 ? "ok" : "missing",
    warnings:
      store.default_currency && store.default_currency.toUpperCase() !== account.currency_code
        ? ["currency"]
        : [],
  };
}

/** Before anything is made at Stripe. */
async function requireMove(db: Db, account: Account, storeAccount: string): Promise<void> {
  await commit({ db }, [guardMovable(account, storeAccount)]).catch((error) => {
    throw isGuard(error) ? newMoveRefusal() : error;
  });
}

function newMoveRefusal(): DomainError {
  return refusal(
    "The account has subscriptions that live, an open billing attempt or a clock at the store that it is connected to",
  );
}

export function isTestKey(secretKey: string): boolean {
  return modeOf(secretKey) === "test";
}

type Options = { apiUrl?: string | undefined; webhooksUri?: string | undefined; writes?: WritesFor };

/** `warnings`: the account at Stripe is paid out in another currency, so that Stripe converts each charge. */
type Connected = {
  store_account: string;
  is_live: boolean;
  webhook: "ok" | "missing";
  warnings: "currency"[];
};

/** Whether the keys are live: a secret or restricted key and a publishable one, of one mode: https://docs.stripe.com/keys */
function requireOneMode({ secret_key, publishable_key }: StoreKeys): boolean {
  const secretMode = modeOf(secret_key);
  const [, publishableMode] = /^pk_(test|live)_/.exec(publishable_key) ?? [];
  const path = secretMode === undefined ? "secret_key" : "publishable_key";
  if (secretMode !== undefined && secretMode === publishableMode) return secretMode === "live";
  const message =
    secretMode && publishableMode
      ? `is of another mode than the secret key: ${secretMode}`
      : "is no key of Stripe";
  throw invalid([{ path, message }]);
}

function modeOf(secretKey: string): string | undefined {
  return /^(?:sk|rk)_(test|live)_/.exec(secretKey)?.[1];
}

const accountSchema = z.object({ id: z.string(), default_currency: z.string().nullish() });

async function readAccount(ask: AskStripe): Promise<z.output<typeof accountSchema>> {
  const answer = await ask({ method: "GET", path: "/v1/account" }).catch((error) => {
    throw error instanceof StoreRefusalError
      ? invalid([{ path: "secret_key", message: whyOf(error) }])
      : error;
  });
  return parseResponse(accountSchema, answer);
}

/** Stripe's own words show a part of the key. */
function whyOf(error: StoreRefusalError): string {
  return error instanceof AccessDeniedError
    ? "lacks the permission to read the account (Accounts: Read)"
    : "is refused by Stripe";
}

type Hooks = { secrets: string[]; endpoint: string | null };

/** The secret before stays for a while beside a new one, as webhooks under way are signed with it. */
async function webhooksFor(
  db: Db,
  key: string,
  { id }: Account,
  { webhook_secret }: StoreKeys,
  {
    ask,
    webhooksUri,
    store_account,
  }: { ask: AskStripe; webhooksUri: string | undefined; store_account: string },
): Promise<Hooks> {
  const known = (await findConnection(db, id)) && (await readConnection(db, key, id).catch(() => undefined));
  const before = known?.store_account === store_account ? known : undefined;
  const secrets = before?.credentials.webhook_secrets ?? [];
  const endpoint = before?.webhook_endpoint ?? null;
  const made =
    webhook_secret === undefined && webhooksUri !== undefined && (await registerWebhooks(ask, webhooksUri));
  if (made) return { secrets: newestOf([made.secret, ...secrets]), endpoint: made.id };
  if (webhook_secret === undefined) return { secrets, endpoint };
  return { secrets: newestOf([webhook_secret, ...secrets]), endpoint: null };
}

function newestOf(secrets: string[]): string[] {
  return [...new Set(secrets)].slice(0, 2);
}

function refusal(message: string): DomainError {
  return new DomainError("INVALID_STATE", message);
}

/** Payment methods and charges remain at the store, and the account at Stripe, that has them. */
function guardMovable({ seq }: Account, storeAccount: string) {
  return guard(
    `NOT EXISTS (SELECT 1 FROM accounts AS a JOIN stripe_connections AS c ON c.account_seq = a.seq
      WHERE a.seq = ? AND a.store = 'stripe' AND c.store_account = ?)
    AND (EXISTS (SELECT 1 FROM subscriptions WHERE account_seq = ? AND status NOT IN ('CANCELLED', 'EXPIRED'))
      OR EXISTS (SELECT 1 FROM billing_attempts WHERE account_seq = ? AND settled_at IS NULL))`,
    [seq, storeAccount, seq, seq],
  );
}

function guardNoClock({ seq }: Account) {
  return guard("EXISTS (SELECT 1 FROM accounts WHERE seq = ? AND clock_at IS NOT NULL)", [seq]);
}
