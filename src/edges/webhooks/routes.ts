import { z } from "@hono/zod-openapi";
import { operation } from "../../kit/http/operation.ts";
import { storeWebhooks } from "../../stores/platforms.ts";
import { receiveWebhook } from "./receive.ts";
import { maxBodyBytes, verifyWebhook } from "./verify.ts";

const { shopify } = storeWebhooks;

/** Its topic decides which fields a payload needs (store/shopify/topics.ts); other fields are ignored. */
const Payload = z
  .looseObject({})
  .openapi("ShopifyPayload", { example: { admin_graphql_api_id: "gid://shopify/Order/5400000000001" } });

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
];
