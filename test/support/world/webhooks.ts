import { connectedShop, deliveryHeaders, keyedAccount, onShopify, stripeHeaders } from "../deliveries.ts";
import type { MakePart } from "./part.ts";

/** Deliveries come from a second shop, on Shopify, because the world's tenant is on the sandbox. */
export const webhookPart: MakePart = ({ account }) => {
  let connected: Promise<string> | undefined;
  let keyed: Promise<void> | undefined;
  return {
    writes: [],
    paths: { "/webhooks/stripe/{account_id}": { account_id: account.id } },
    bodies: {
      receiveShopifyWebhook: { id: 1 },
      receiveStripeWebhook: { id: "evt_1", type: "v2.core.event_destination.ping", data: { object: {} } },
    },
    signed: {
      async receiveStripeWebhook(body) {
        keyed ??= keyedAccount(account.id);
        await keyed;
        return { headers: await stripeHeaders(body), ask: onShopify };
      },
      async receiveShopifyWebhook(body) {
        connected ??= connectedShop();
        return { headers: await deliveryHeaders(await connected, "app/uninstalled", body), ask: onShopify };
      },
    },
  };
};
