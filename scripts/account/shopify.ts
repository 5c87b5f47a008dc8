import { z } from "zod";
import { readAccount } from "../../src/accounts/queries.ts";
import type { Account } from "../../src/accounts/tables.ts";
import type { Db } from "../../src/db/client.ts";
import { DomainError } from "../../src/errors.ts";
import { definedFields } from "../../src/lib/defined-fields.ts";
import type { Log } from "../../src/lib/log.ts";
import { StoreRefusalError, UnknownOutcomeError } from "../../src/store/port.ts";
import { connectShopify } from "../../src/store/shopify/connect.ts";
import { credentialsSchema, openConnection, readCredentials } from "../../src/store/shopify/connection.ts";
import { registerWebhooks } from "../../src/store/shopify/register-webhooks.ts";
import { complianceTopics } from "../../src/store/shopify/topics.ts";
import { importSellingPlans } from "../../src/store-sync/selling-plans.ts";
import { accountOf, type Commands, checked, required, UsageError } from "./command.ts";
import { credentialsKey, ctxFor } from "./context.ts";

const webhookUrl = z
  .url({ protocol: /^https$/, error: "must be an https address" })
  .refine((url) => new URL(url).pathname === "/webhooks/shopify", "must end in /webhooks/shopify");

export const shopifyCommands: Commands = {
  "connect-shopify": {
    takes: ["shop", "account", "token", "client-id", "secret"],
    async run(db, values, now) {
      const { token, "client-id": client_id, secret } = values;
      const credentials = credentialsSchema.safeParse(definedFields({ token, client_id, secret })).data;
      if (!credentials)
        throw new UsageError("either --token [--secret], or --client-id and --secret are required");
      const account = await accountOf(db, values);
      const connected = await connectShopify(db, credentialsKey(), account, credentials, now);
      return [connected, ...(await syncPlans(db, account).catch(whySilent))];
    },
  },
  "sync-plans": {
    takes: ["shop", "account"],
    run: async (db, values) => syncPlans(db, await accountOf(db, values)),
  },
  "register-webhooks": {
    takes: ["shop", "account", "url"],
    async run(db, values, now) {
      const url = checked(webhookUrl, required(values, "url"), "url");
      const account = await accountOf(db, values);
      const { credentials } = await readCredentials(db, credentialsKey(), account.id);
      if (!credentials.secret)
        throw new UsageError(
          "deliveries are signed with the app's secret: connect-shopify with --secret first",
        );
      const connection = await openConnection(db, credentialsKey(), account.id, Date.parse(now));
      return [
        ...(await registerWebhooks(connection, url)),
        { url, topics_for_the_app_configuration: complianceTopics },
      ];
    },
  },
};

/** How many groups the store has, after what could not be taken of their plans. */
async function syncPlans(db: Db, { id }: Account): Promise<object[]> {
  const account = await readAccount(db, id);
  if (account?.store !== "shopify")
    throw new DomainError("INVALID_STATE", "The account is not connected to a Shopify store");
  const events: object[] = [];
  const log: Log = (event, fields) => void events.push({ event, ...fields });
  const ctx = ctxFor(db, account, { STORE_CREDENTIALS_KEY: credentialsKey() }, log);
  const selling_plan_groups = await importSellingPlans(ctx);
  return [...events, { account_id: id, shop: account.shop, selling_plan_groups }];
}

/** The account is connected all the same. */
function whySilent(error: unknown): object[] {
  if (error instanceof UnknownOutcomeError || error instanceof StoreRefusalError)
    return [{ selling_plans_not_synced: error.message }];
  throw error;
}
