import { z } from "@hono/zod-openapi";
import { demoId } from "../../base/demo.ts";
import { named } from "../../kit/http/document/describe.ts";
import { operation } from "../../kit/http/document/operation.ts";
import { idInPath } from "../../kit/http/document/params.ts";
import { storeWebhooks } from "../../stores/platforms.ts";
import { receiveWebhook } from "./receive.ts";
import { maxBodyBytes, verifyAddressedWebhook, verifyWebhook } from "./verify.ts";

const { shopify, stripe } = storeWebhooks;

/** Its topic decides which fields a payload needs (store/shopify/topics.ts); other fields are ignored. */
const Payload = z
  .looseObject({})
  .openapi("ShopifyPayload", { example: { admin_graphql_api_id: "gid://shopify/Order/5400000000001" } });

/** Its type decides what is read of its object; other fields are ignored. */
const StripePayload = named(
  "StripePayload",
  z.looseObject({
    id: z
      .string()
      .min(1)
      .max(255)
      .regex(/^evt_[A-Za-z0-9_]+$/),
    type: z
      .string()
      .max(255)
      .regex(/^[a-z0-9_.]+$/),
    data: z.looseObject({
      object: z
        .looseObject({})
        .openapi({ description: "The record that the event is about, at the time of the event." }),
    }),
  }),
  {
    id: ["The event's id.", "evt_1Example"],
    type: ["The event's type.", "payment_intent.succeeded"],
    data: "The event's data.",
  },
  {
    description: "An event of Stripe's.",
    example: {
      id: "evt_1Example",
      type: "payment_intent.succeeded",
      data: { object: { id: "pi_1Example", object: "payment_intent" } },
    },
  },
);

export const webhookOperations = [
  operation({
    id: "receiveShopifyWebhook",
    method: "post",
    path: "/webhooks/shopify",
    tag: "Webhooks",
    summary: "Receive a webhook from Shopify",
    description:
      "Only Shopify calls this. `X-Shopify-Shop-Domain` names the shop, `X-Shopify-Hmac-Sha256` signs the raw body with the " +
      "secret of the shop's app, `X-Shopify-Topic` says what happened and `X-Shopify-Webhook-Id` identifies the webhook. " +
      "Nothing but the record's id is read from the payload: a job reads the record from Shopify later, so that repeated and " +
      "late webhooks do no harm.",
    credentials: "none",
    idempotent: false,
    countsItself: true,
    middleware: [verifyWebhook(shopify)],
    body: Payload,
    bodyLimit: maxBodyBytes,
    success: {
      status: 200,
      description: "The webhook is stored, now or earlier, or its topic is ignored.",
      contentType: "text/plain",
      schema: z.string(),
    },
    errors: ["UNAUTHENTICATED"],
    handler: async ({ c, body }) => {
      const webhook = shopify.read(c.req.raw.headers, body);
      if (webhook) await receiveWebhook(c.get("ctx"), webhook);
      return c.text("OK");
    },
  }),
  operation({
    id: "receiveStripeWebhook",
    method: "post",
    path: "/webhooks/stripe/{account_id}",
    tag: "Webhooks",
    summary: "Receive a webhook from Stripe",
    description:
      "Only Stripe calls this. `Stripe-Signature` signs the raw body with the secret of the account's webhook endpoint, at most " +
      "five minutes ago; either of two secrets counts while one is replaced. Nothing but the record's id is read from the event: " +
      "a job reads the record from Stripe later, so that repeated, late and reordered events do no harm.",
    credentials: "none",
    idempotent: false,
    countsItself: true,
    middleware: [verifyAddressedWebhook(stripe)],
    params: z.object({ account_id: idInPath("account_id", "account", demoId("account", 1)) }),
    body: StripePayload,
    bodyLimit: maxBodyBytes,
    success: {
      status: 200,
      description: "The event is stored, now or earlier, or is of a type that is ignored.",
      contentType: "text/plain",
      schema: z.string(),
    },
    errors: ["UNAUTHENTICATED"],
    handler: async ({ c, params, body }) => {
      const webhook = stripe.read(params.account_id, body);
      if (webhook) await receiveWebhook(c.get("ctx"), webhook);
      return c.text("OK");
    },
  }),
];
