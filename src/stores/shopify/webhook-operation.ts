import { z } from "@hono/zod-openapi";
import type { WebhookOperation } from "../webhooks.ts";

/** A webhook's topic decides which fields a payload needs (topics.ts); other fields are ignored. */
export const webhookOperation: WebhookOperation = {
  id: "receiveShopifyWebhook",
  summary: "Receive a webhook from Shopify",
  description:
    "Only Shopify calls this. `X-Shopify-Shop-Domain` names the shop, `X-Shopify-Hmac-Sha256` signs the raw body with the " +
    "secret of the shop's app, `X-Shopify-Topic` says what happened and `X-Shopify-Webhook-Id` identifies the webhook. " +
    "Nothing but the record's id is read from the payload: a job reads the record from Shopify later, so that repeated and " +
    "late webhooks do no harm.",
  success: "The webhook is stored, now or earlier, or its topic is ignored.",
  payload: {
    name: "ShopifyPayload",
    schema: z.looseObject({}),
    texts: {},
    about: { example: { admin_graphql_api_id: "gid://shopify/Order/5400000000001" } },
  },
};
