import { z } from "zod";
import { readAccount } from "../../src/base/accounts/queries.ts";
import type { Account } from "../../src/base/accounts/tables.ts";
import type { Db } from "../../src/base/db/port.ts";
import { DomainError } from "../../src/base/errors.ts";
import type { Log } from "../../src/base/lib/log.ts";
import type { Resealed } from "../../src/base/lib/secrets/sealed.ts";
import { importSellingPlans } from "../../src/domain/store-sync/selling-plans.ts";
import { resealEndpointSecrets } from "../../src/domain/webhook-endpoints/reseal.ts";
import { StoreRefusalError, UnknownOutcomeError } from "../../src/stores/port.ts";
import { resealCredentials } from "../../src/stores/reseal.ts";
import { appOf } from "../../src/stores/shopify/app/app.ts";
import { connectShopify } from "../../src/stores/shopify/app/connect.ts";
import {
  credentialsSchema,
  openConnection,
  readCredentials,
  type ShopifyCredentials,
} from "../../src/stores/shopify/app/connection.ts";
import { findWebhooksUri, storeWebhooksUri } from "../../src/stores/shopify/app/set-up.ts";
import {
  type Registered,
  refusalOfRequired,
  refusedTopics,
  registerWebhooks,
} from "../../src/stores/shopify/register-webhooks.ts";
import { complianceTopics } from "../../src/stores/shopify/topics.ts";
import { type Commands, checked, everyDatabase, recordsOf, required } from "./command.ts";
import { credentialsKey, ctxFor, storeEnv } from "./context.ts";
import { UsageError } from "./options.ts";
import { readSecret } from "./secret.ts";

const webhookUrl = z
  .url({ protocol: /^https$/, error: "must be an https address" })
  .refine((url) => new URL(url).pathname === "/webhooks/shopify", "must end in /webhooks/shopify");

export const shopifyCommands: Commands = {
  "connect-shopify": {
    takes: ["shop", "account", "credentials", "url"],
    async run(where, values, { now }) {
      const given = credentialsIn(readSecret(required(values, "credentials")));
      const { db, account } = await recordsOf(where, values);
      const webhooksUri = await webhooksUriFor(db, account, values.url);
      const credentials = await withPreviousSecret(db, account, given);
      const options = { webhooksUri, registers: true };
      const { webhooks, ...connected } = await connectShopify(
        db,
        credentialsKey(),
        account,
        credentials,
        now,
        options,
      );
      return [
        { ...connected, webhooks_uri: webhooksUri, topics_for_the_app_configuration: complianceTopics },
        ...refusedWebhooks(webhooks),
        ...(await syncPlans(db, account).catch(whySilent)),
      ];
    },
  },
  "reseal-credentials": {
    takes: [],
    async run(db, values, { now }) {
      const [stores, endpoints]: [Resealed[], Resealed[]] = [[], []];
      for (const its of await everyDatabase(db, values)) {
        stores.push(await resealCredentials(its, credentialsKey(), now));
        endpoints.push(await resealEndpointSecrets(its, credentialsKey(), now));
      }
      return [
        { secrets: "stores", ...together(stores) },
        { secrets: "webhook_endpoints", ...together(endpoints) },
      ];
    },
  },
  "sync-plans": {
    takes: ["shop", "account"],
    async run(where, values) {
      const { db, account } = await recordsOf(where, values);
      return syncPlans(db, account);
    },
  },
  "register-webhooks": {
    takes: ["shop", "account", "url"],
    async run(where, values, { now }) {
      const url = checked(webhookUrl, required(values, "url"), "url");
      const { db, account } = await recordsOf(where, values);
      const { credentials } = await readCredentials(db, credentialsKey(), account.id);
      if (!("app_id" in credentials) && !credentials.secret)
        throw new UsageError(
          "deliveries are signed with the app's secret: connect-shopify with a secret first",
        );
      const connection = await openConnection(
        db,
        credentialsKey(),
        account.id,
        Date.parse(now),
        appOf(storeEnv()),
      );
      const registered = await registerWebhooks(connection, url);
      const refusal = refusalOfRequired(registered);
      if (refusal) throw refusal;
      await storeWebhooksUri(db, account.id, url, now);
      return [...registered, { url, topics_for_the_app_configuration: complianceTopics }];
    },
  },
};

/** The address that the store's webhooks go to: the one that is given, else the one that was given before. */
async function webhooksUriFor(db: Db, { id }: Account, given: string | undefined): Promise<string> {
  const url = given ?? (await findWebhooksUri(db, id));
  if (url === undefined)
    throw new UsageError(
      "--url https://HOST/webhooks/shopify is missing: where the store sends its webhooks",
    );
  return checked(webhookUrl, url, "url");
}

/** Webhooks that the store refuses, and that can be done without. */
function refusedWebhooks(webhooks: Registered[]): object[] {
  return refusedTopics(webhooks, { required: false }).map((refused) => ({
    warning: `The store refuses this webhook: ${refused}`,
  }));
}

function together(parts: Resealed[]): Resealed {
  const sum = (member: "resealed" | "unchanged") => parts.reduce((total, part) => total + part[member], 0);
  return {
    resealed: sum("resealed"),
    unchanged: sum("unchanged"),
    not_opened: parts.flatMap(({ not_opened }) => not_opened),
  };
}

const shapes =
  'credentials are JSON: {"token": "…", "secret": "…"}, with "client_id" where the extensions are used, or {"client_id": "…", "secret": "…"}';

function credentialsIn(text: string): ShopifyCredentials {
  try {
    return credentialsSchema.parse(JSON.parse(text));
  } catch {
    throw new UsageError(shapes);
  }
}

/**
 * With the secret that was stored before, if it is another one: deliveries may be signed with either until this command is
 * called again with the same secret.
 */
async function withPreviousSecret(
  db: Db,
  { id, shop }: Account,
  given: ShopifyCredentials,
): Promise<ShopifyCredentials> {
  const stored = await readCredentials(db, credentialsKey(), id).catch(() => undefined);
  const previous_secret =
    stored?.shop === shop && !("app_id" in stored.credentials) ? stored.credentials.secret : undefined;
  if (previous_secret === undefined || previous_secret === given.secret) return given;
  return { previous_secret, ...given };
}

/** How many groups the store has, after what could not be taken of their plans. */
async function syncPlans(db: Db, { id }: Account): Promise<object[]> {
  const account = await readAccount(db, id);
  if (account?.store !== "shopify")
    throw new DomainError("INVALID_STATE", "The account is not connected to a Shopify store");
  const events: object[] = [];
  const log: Log = (event, fields) => void events.push({ event, ...fields });
  const ctx = await ctxFor(db, account, storeEnv(), log);
  const selling_plan_groups = await importSellingPlans(ctx);
  return [...events, { account_id: id, shop: account.shop, selling_plan_groups }];
}

/** The account is connected all the same. */
function whySilent(error: unknown): object[] {
  if (error instanceof UnknownOutcomeError || error instanceof StoreRefusalError)
    return [{ selling_plans_not_synced: error.message }];
  throw error;
}
