import { z } from "@hono/zod-openapi";
import { type FieldText, named } from "../../kit/http/document/describe.ts";
import { implies } from "../../kit/http/document/field-rules.ts";
import { instant, orNull } from "../../kit/http/document/params.ts";
import { dataOf } from "../../kit/http/list/pagination.ts";
import { storePlatform } from "./schemas.ts";

function key(prefix: RegExp, example: string) {
  return z
    .string()
    .max(255)
    .regex(new RegExp(`^${prefix.source}[A-Za-z0-9_]+$`), `must be as Stripe shows it, such as ${example}`);
}

const examples = {
  secret_key: "rk_live_51Example",
  publishable_key: "pk_live_51Example",
  webhook_secret: "whsec_Example",
};

/** Both keys are of test mode, or neither is. */
function ofOneMode(): object {
  const begins = (field: string, pattern: string) => ({ properties: { [field]: { pattern } } });
  const ofTest = begins("publishable_key", "^pk_test_");
  return implies(begins("secret_key", "^(sk|rk)_test_"), ofTest, begins("publishable_key", "^pk_live_"));
}

export const StoreKeys = named(
  "StoreKeys",
  z.strictObject({
    store: z.literal("stripe"),
    secret_key: key(/(sk|rk)_(test|live)_/, examples.secret_key),
    publishable_key: key(/pk_(test|live)_/, examples.publishable_key),
    webhook_secret: key(/whsec_/, examples.webhook_secret).optional(),
  }),
  {
    store: "The store platform. stripe: an account at Stripe.",
    secret_key: [
      "Stripe's secret key, or a restricted one with the permissions that docs/sell/stripe.md lists. It is never shown again. One of Stripe's test mode is refused in production unless the operator has made the account for tests.",
      examples.secret_key,
    ],
    publishable_key: [
      "Stripe's publishable key, of the same mode: the pages on which customers enter a payment method show it to their browsers.",
      examples.publishable_key,
    ],
    webhook_secret: [
      "The secret of a webhook endpoint that was made at Stripe by hand, at `/webhooks/stripe/{account_id}`. Without it the endpoint is made here, where the key may. It is never shown again.",
      examples.webhook_secret,
    ],
  },
  {
    description: "The keys that connect an account to its store.",
    dependentSchemas: { secret_key: ofOneMode() },
    example: {
      store: "stripe",
      secret_key: examples.secret_key,
      publishable_key: examples.publishable_key,
    },
  },
);

const texts = {
  store: "The store platform that the account is connected to.",
  is_live: "Whether the store charges real money. False on the sandbox store and in the test mode of Stripe.",
  store_account: ["The account at Stripe that the keys are of; null on other stores.", "acct_1Example"],
  webhook: "Whether the store sends its webhooks here. Null on other stores than Stripe.",
  checked_at: [
    "When the keys were last tried: UTC. Null on other stores than Stripe.",
    "2026-11-20T12:00:00.000Z",
  ],
  refused_since: [
    "Since when Stripe has refused the secret key, which was revoked or has expired: UTC. Nobody is charged until the account is connected with another. Null while Stripe takes the key, and on other stores.",
    null,
  ],
  warnings:
    "currency: the account at Stripe is paid out in another currency than this account's, so that Stripe converts each charge.",
} as const satisfies Record<string, FieldText>;

const webhookState = z.enum(["ok", "missing"]).openapi("WebhookState", {
  description:
    "Whether a store sends its webhooks here. ok: it does, as far as that is known. missing: nobody has made the endpoint, or it is gone, so that what happens at the store is noticed by asking it, hours later.",
});

const fields = {
  store: storePlatform,
  is_live: z.boolean(),
  store_account: z.string().nullable(),
  webhook: orNull(webhookState),
  checked_at: instant.nullable(),
  refused_since: instant.nullable(),
};

const StoreConnection = named("StoreConnection", z.strictObject(fields), texts, {
  description: "How an account is connected to its store.",
});

const ConnectedStore = named(
  "ConnectedStore",
  z.strictObject({ ...fields, warnings: z.array(z.enum(["currency"])) }),
  texts,
  { description: "The store that an account was connected to." },
);

export const StoreConnectionData = dataOf(StoreConnection, "StoreConnectionData", "The connection.");
export const ConnectedStoreData = dataOf(ConnectedStore, "ConnectedStoreData", "The connection.");
