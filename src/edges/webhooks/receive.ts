import type { Ctx } from "../../kit/context.ts";
import type { StoreWebhook } from "../../stores/webhooks.ts";
import { addDelivery, jobOf } from "./deliveries.ts";

/** Stores a verified webhook, once, and enqueues its job. */
export async function receiveWebhook(ctx: Ctx, webhook: StoreWebhook): Promise<void> {
  if (await addDelivery(ctx, webhook)) await ctx.send([jobOf(ctx, webhook.webhook_id)]);
}
