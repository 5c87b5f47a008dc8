import { z } from "@hono/zod-openapi";
import { operation } from "../http/operation.ts";
import { receiveDelivery } from "./receive.ts";
import { largestDelivery, shopOf, verifyDelivery } from "./signature.ts";

/** What it has to hold depends on its topic (store/shopify/topics.ts); the rest is the store's own. */
const Payload = z
  .looseObject({})
  .openapi("ShopifyPayload", { example: { admin_graphql_api_id: "gid://shopify/Order/5400000000001" } });

export const webhookOperations = [
  operation({
    id: "receiveShopifyWebhook",
    method: "post",
    path: "/webhooks/shopify",
    tag: "Webhooks",
    summary: "Take what Shopify tells of",
    description:
      "For Shopify alone: `X-Shopify-Shop-Domain` names the shop, `X-Shopify-Hmac-Sha256` signs the raw body with its app's " +
      "secret, `X-Shopify-Topic` and `X-Shopify-Webhook-Id` say what it is. A delivery is only taken as a hint: the record it " +
      "names is asked for anew, later, so repeated and late ones do no harm.",
    credentials: "none",
    idempotent: false,
    countsItself: true,
    middleware: [verifyDelivery],
    body: Payload,
    bodyLimit: largestDelivery,
    success: {
      status: 200,
      description: "Taken, now or before; or of no interest.",
      contentType: "text/plain",
      schema: z.string(),
    },
    errors: ["UNAUTHENTICATED"],
    handler: async ({ c, body }) => {
      await receiveDelivery(
        c.get("ctx"),
        {
          shop: shopOf(c),
          topic: c.req.header("x-shopify-topic"),
          webhookId: c.req.header("x-shopify-webhook-id"),
        },
        body,
      );
      return c.text("OK");
    },
  }),
];
