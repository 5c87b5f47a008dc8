import { eq } from "drizzle-orm";
import { forgetAccount } from "../../base/accounts/queries.ts";
import { accounts, builtInStore } from "../../base/accounts/tables.ts";
import { commit } from "../../base/db/commit.ts";
import { guard, isGuard } from "../../base/db/guard.ts";
import { build, statement } from "../../base/db/statement.ts";
import { credentialsKeyOf, type Env } from "../../base/env.ts";
import { DomainError, invalid } from "../../base/errors.ts";
import type { KeyedInput, KeyedStore } from "../keyed.ts";
import { StoreRefusalError, UnknownOutcomeError } from "../port.ts";
import { apiUrlOf, requestStripe } from "./client.ts";
import { connectStripe, isTestKey } from "./connect.ts";
import { findConnection, type OpenedStripeConnection, readConnection } from "./connection.ts";
import { stripeConnections } from "./tables.ts";
import { removeWebhooks } from "./webhooks/register-webhooks.ts";
import { webhooksUriOf } from "./webhooks/webhooks-uri.ts";

/** An account at Stripe, which a merchant connects by its keys: https://docs.stripe.com/keys */
export const keyedStripe: KeyedStore = {
  async connect({ db, env, account, keys, realNow, writes }) {
    if (env.ENVIRONMENT === "production" && account.is_test !== 1 && isTestKey(keys.secret_key))
      throw invalid([
        {
          path: "secret_key",
          message:
            "must be a live key: only an account that its operator has made for tests takes others here",
        },
      ]);
    const connected = await connectStripe(db, credentialsKeyOf(env), account, keys, realNow, {
      apiUrl: apiUrlOf(env),
      webhooksUri: webhooksUriOf(env, account.id),
      writes,
    });
    forgetAccount(account.id);
    return { ...connected, checked_at: realNow, refused_since: null };
  },

  async disconnect(input) {
    const { db, env, account, writes } = input;
    const connection = await readIfSealed(input);
    try {
      await commit({ db }, [
        guardLeaving(input),
        ...writes(connection?.store_account ?? ""),
        statement(build.delete(stripeConnections).where(eq(stripeConnections.account_seq, account.seq))),
        statement(
          build
            .update(accounts)
            .set({ store: builtInStore, store_is_live: null, updated_at: input.realNow })
            .where(eq(accounts.id, account.id)),
        ),
      ]);
    } catch (error) {
      if (isGuard(error))
        throw new DomainError(
          "INVALID_STATE",
          "Cannot disconnect the store: the account has subscriptions that live, or an open billing attempt",
        );
      throw error;
    }
    forgetAccount(account.id);
    if (connection?.webhook_endpoint) await endWebhooks(env, connection, connection.webhook_endpoint);
  },

  async find(input) {
    const stored = await findConnection(input.db, input.account.id);
    if (!stored) return undefined;
    const { store_account, checked_at, disconnected_at: refused_since } = stored;
    const secrets = (await readIfSealed(input))?.credentials.webhook_secrets ?? [];
    return { store_account, webhook: secrets.length > 0 ? "ok" : "missing", checked_at, refused_since };
  },
};

type Sealed = Pick<KeyedInput, "db" | "env" | "account">;

/** The connection with its keys; undefined where there is none, or its keys cannot be opened. */
function readIfSealed({ db, env, account }: Sealed): Promise<OpenedStripeConnection | undefined> {
  return readConnection(db, env.STORE_CREDENTIALS_KEY, account.id).catch((error) => {
    if (error instanceof UnknownOutcomeError) return undefined;
    throw error;
  });
}

/** Nothing follows from an endpoint that stays: its webhooks are refused, and Stripe ends it for that. */
async function endWebhooks(
  env: Env,
  { credentials }: OpenedStripeConnection,
  endpoint: string,
): Promise<void> {
  const connection = { secretKey: credentials.secret_key, apiUrl: apiUrlOf(env) };
  await removeWebhooks((request) => requestStripe(connection, request), endpoint).catch((error) => {
    if (!(error instanceof StoreRefusalError || error instanceof UnknownOutcomeError)) throw error;
  });
}

function guardLeaving({ account: { seq } }: Pick<KeyedInput, "account">) {
  return guard(
    `EXISTS (SELECT 1 FROM subscriptions WHERE account_seq = ? AND status NOT IN ('CANCELLED', 'EXPIRED'))
      OR EXISTS (SELECT 1 FROM billing_attempts WHERE account_seq = ? AND settled_at IS NULL)`,
    [seq, seq],
  );
}
