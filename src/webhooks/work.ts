import type { Ctx } from "../context.ts";
import type { Outcome } from "../job.ts";
import { reportDataRequest } from "../privacy/data-request.ts";
import { redactCustomer } from "../privacy/redact-customer.ts";
import { redactShop } from "../privacy/redact-shop.ts";
import { checkInstallation } from "../privacy/uninstalled.ts";
import { type TopicKind, topics } from "../store/shopify/topics.ts";
import { refreshAttempt } from "../store-sync/billing-attempts.ts";
import { refreshContract } from "../store-sync/contracts.ts";
import { refreshOrder } from "../store-sync/orders.ts";
import { refreshPaymentMethod } from "../store-sync/payment-methods.ts";
import { refreshSellingPlans } from "../store-sync/selling-plans.ts";
import { endDelivery, jobOf, putOffDelivery, takeDelivery } from "./deliveries.ts";

/** Each asks the store how the record is now, so that no order and no repetition of deliveries matters. */
const actionOf: Record<TopicKind, (ctx: Ctx, subject: string) => Promise<Outcome>> = {
  attempt: refreshAttempt,
  contract: refreshContract,
  order: refreshOrder,
  payment_method: refreshPaymentMethod,
  selling_plans: refreshSellingPlans,
  uninstalled: checkInstallation,
  data_request: reportDataRequest,
  customer_redaction: redactCustomer,
  shop_redaction: redactShop,
};

/** Works on a delivery, once it is done no more. One that fails is tried again by the queue, then found by the sweep. */
export const workOnDelivery = async (ctx: Ctx, webhookId: string): Promise<void> => {
  const delivery = await takeDelivery(ctx, webhookId);
  if (!delivery) return;
  const topic = topics.get(delivery.topic);
  const outcome = topic ? await actionOf[topic.kind](ctx, delivery.subject) : "done";
  if (outcome === "done") await endDelivery(ctx, delivery);
  if (outcome === "later") await putOffDelivery(ctx, delivery);
  if (outcome === "more") await ctx.send([jobOf(ctx, webhookId)]);
};
