import type { Ctx } from "../context.ts";
import { type TopicKind, topics } from "../store/shopify/topics.ts";
import { refreshAttempt } from "./actions/attempt.ts";
import { refreshContract } from "./actions/contract.ts";
import { reportDataRequest } from "./actions/data-request.ts";
import { refreshOrder } from "./actions/order.ts";
import { refreshPaymentMethod } from "./actions/payment-method.ts";
import { redactCustomer } from "./actions/redact-customer.ts";
import { redactShop } from "./actions/redact-shop.ts";
import { refreshSellingPlans } from "./actions/selling-plans.ts";
import { checkInstallation } from "./actions/uninstalled.ts";
import { endDelivery, jobOf, putOffDelivery, takeDelivery } from "./deliveries.ts";
import type { Outcome } from "./outcome.ts";

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
