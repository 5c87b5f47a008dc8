import { and, eq } from "drizzle-orm";
import { commit } from "../../../base/db/commit.ts";
import type { Db } from "../../../base/db/port.ts";
import { build, statement } from "../../../base/db/statement.ts";
import type { Log } from "../../../base/lib/log.ts";
import { type Instant, later } from "../../../base/lib/time/dates.ts";
import { dayMs } from "../../../base/lib/time/durations.ts";
import { AccessDeniedError } from "../../port.ts";
import { type OpenedStripeConnection, sealCredentials } from "../connection.ts";
import type { AskStripe } from "../request.ts";
import { stripeConnections as connections } from "../tables.ts";
import { isRegistered, registerWebhooks } from "./register-webhooks.ts";

type Input = {
  db: Db;
  key: string;
  ask: AskStripe;
  connection: OpenedStripeConnection;
  accountId: string;
  /** The address of the account's webhooks; undefined where Stripe could not reach it. */
  uri: string | undefined;
  realNow: Instant;
  log: Log;
};

/**
 * Looks each day whether Stripe still sends its webhooks here, as it ends an endpoint whose webhooks have failed for days, and anybody may
 * delete one. One that is gone is made again, where the key may; else people have to. An endpoint that was made by hand is left alone.
 * Either way Stripe is asked something, so that a key that was revoked is noticed within a day.
 */
export async function keepWebhooks(input: Input): Promise<void> {
  const { ask, connection, accountId: account_id, uri, log } = input;
  const { webhook_endpoint: endpoint, credentials } = connection;
  const isByHand = endpoint === null && credentials.webhook_secrets.length > 0;
  if (isByHand || uri === undefined) {
    await tryKey(ask);
    return write(input, {});
  }
  if (await isKept(input, uri)) return write(input, {});
  const made = await registerWebhooks(ask, uri);
  if (made) log("webhooks_registered", { account_id, webhooks: 1 });
  else log("webhooks_missing", { alert: endpoint !== null, account_id });
  const webhook_secrets = made ? [made.secret] : [];
  const sealed = await sealCredentials(input.key, {
    accountId: account_id,
    store_account: connection.store_account,
    credentials: { ...credentials, webhook_secrets },
  });
  await write(input, { credentials: sealed, webhook_endpoint: made?.id ?? null });
}

/** A key that may not read its account is still a key. */
async function tryKey(ask: AskStripe): Promise<void> {
  await ask({ method: "GET", path: "/v1/account" }).catch((error) => {
    if (!(error instanceof AccessDeniedError)) throw error;
  });
}

/** Whether the endpoint is there, as far as the key may know. */
async function isKept({ ask, connection }: Input, uri: string): Promise<boolean> {
  if (connection.webhook_endpoint === null) return false;
  return isRegistered(ask, connection.webhook_endpoint, uri).catch((error) => {
    if (error instanceof AccessDeniedError) return true;
    throw error;
  });
}

type Changed = Partial<Pick<typeof connections.$inferSelect, "credentials" | "webhook_endpoint">>;

/** Nothing is written of a connection whose keys were replaced meanwhile. */
async function write({ db, connection, realNow }: Input, changed: Changed): Promise<void> {
  const isAsRead = and(
    eq(connections.account_seq, connection.account_seq),
    eq(connections.credentials, connection.sealed),
  );
  const set = { ...changed, checked_at: realNow, next_action_at: later(realNow, dayMs) };
  await commit({ db }, [statement(build.update(connections).set(set).where(isAsRead))]);
}
