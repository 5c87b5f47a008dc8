import { connectedShop, deliveryHeaders, onShopify } from "../deliveries.ts";
import type { MakePart } from "./part.ts";

/** Deliveries come from a second shop, on Shopify, because the world's tenant is on the sandbox. */
export const webhookPart: MakePart = () => {
  let connected: Promise<string> | undefined;
  return {
    writes: [],
    bodies: { receiveShopifyWebhook: { id: 1 } },
    signed: {
      async receiveShopifyWebhook(body) {
        connected ??= connectedShop();
        return { headers: await deliveryHeaders(await connected, "app/uninstalled", body), ask: onShopify };
      },
    },
  };
};
