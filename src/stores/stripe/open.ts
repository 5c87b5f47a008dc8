import { portalUrlOf } from "../../base/accounts/portal-address.ts";
import { credentialsKeyOf } from "../../base/env.ts";
import { once } from "../../base/lib/once.ts";
import { type OpenStoreInput, type Store, StoreRefusalError, UnknownOutcomeError } from "../port.ts";
import { stripeStore } from "./adapter.ts";
import { browserScript, findConfirmation } from "./browser.ts";
import { apiUrlOf, requestStripe } from "./client.ts";
import { openConnection } from "./connection.ts";
import { disconnectIfRefused } from "./disconnect.ts";
import type { AskStripe } from "./request.ts";
import { keepWebhooks } from "./webhooks/keep-webhooks.ts";
import { webhooksUriOf } from "./webhooks/webhooks-uri.ts";

/** An account's Stripe. Its keys are read when a request first needs them. Cards expire, and charges are made, by real time. */
export function openStripeStore({ env, db, account, now, realNow: date, log }: OpenStoreInput): Store {
  const realNow = date.toISOString();
  const connect = once(() => openConnection(db, env.STORE_CREDENTIALS_KEY, account.id));
  const send: AskStripe = async (request) => {
    const { credentials } = await connect();
    return requestStripe({ secretKey: credentials.secret_key, apiUrl: apiUrlOf(env) }, request);
  };

  const ask: AskStripe = (request) =>
    send(request).catch(async (error) => {
      if (!(error instanceof StoreRefusalError && error.codes.includes("HTTP_401"))) throw error;
      const refused = { db, ask: send, connection: await connect(), accountId: account.id, realNow, log };
      if (await disconnectIfRefused(refused)) throw new UnknownOutcomeError(error.message);
      throw error;
    });

  const store = stripeStore({
    db,
    account,
    now,
    realNow,
    ask,
    connect,
    confirmationUrlOf: (attemptId) => `${portalUrlOf({ env, account })}/pay/${attemptId}`,
    log,
  });
  return {
    ...store,
    browserScript: browserScript(apiUrlOf(env)),
    findConfirmation: async ({ reference }) => {
      const found = reference === null ? undefined : await findConfirmation(ask, reference);
      if (!found) return undefined;
      return { ...found, publishable_key: (await connect()).credentials.publishable_key };
    },
    keepWebhooks: async () =>
      keepWebhooks({
        db,
        key: credentialsKeyOf(env),
        ask,
        connection: await connect(),
        accountId: account.id,
        uri: webhooksUriOf(env, account.id),
        realNow,
        log,
      }),
  };
}
