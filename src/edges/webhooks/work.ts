import type { JobOutcome } from "../../base/job.ts";
import { refreshDispute } from "../../domain/disputes/refresh-dispute.ts";
import { reportDataRequest } from "../../domain/privacy/data-request.ts";
import { redactCustomer } from "../../domain/privacy/redact-customer.ts";
import { redactShop } from "../../domain/privacy/redact-shop.ts";
import { checkInstallation } from "../../domain/privacy/uninstalled.ts";
import { refreshAttempt } from "../../domain/store-sync/billing-attempts.ts";
import { refreshContract } from "../../domain/store-sync/contracts.ts";
import { mergeCustomers, refreshCustomer } from "../../domain/store-sync/customers.ts";
import { refreshCycle } from "../../domain/store-sync/cycles.ts";
import { refreshOrder } from "../../domain/store-sync/orders.ts";
import { finishPaymentSetup, refreshPaymentMethod } from "../../domain/store-sync/payment-methods.ts";
import { refreshRefunds } from "../../domain/store-sync/refunds.ts";
import { refreshScopes } from "../../domain/store-sync/scopes.ts";
import { refreshSellingPlans } from "../../domain/store-sync/selling-plans.ts";
import type { Ctx } from "../../kit/context.ts";
import { platforms } from "../../stores/platforms.ts";
import { AccessDeniedError } from "../../stores/port.ts";
import type { WebhookKind } from "../../stores/webhooks.ts";
import { deliveryDone, deliveryLater, jobOf, takeDelivery } from "./deliveries.ts";
import type { WebhookDelivery } from "./tables.ts";

/** Does what a delivery asks for, unless that has been done. The queue retries one that fails, then the sweep finds it. */
export async function workOnDelivery(ctx: Ctx, webhookId: string): Promise<void> {
  const delivery = await takeDelivery(ctx, webhookId);
  if (!delivery) return;
  const webhooks = await platforms[ctx.account.store].webhooks?.load();
  const kind = webhooks?.kindOf(delivery.topic);
  const outcome = kind
    ? await actions[kind](ctx, delivery.subject).catch(laterIfDenied(ctx, delivery))
    : "done";
  if (outcome === "done") await deliveryDone(ctx, delivery);
  if (outcome === "later") await deliveryLater(ctx, delivery);
  if (outcome === "more") await ctx.send([jobOf(ctx, webhookId)]);
}

/** The app may not read in a moment either what it may not read now: people are told, once for each delivery. */
function laterIfDenied(ctx: Ctx, { topic, tries }: WebhookDelivery): (error: unknown) => JobOutcome {
  return (error) => {
    if (!(error instanceof AccessDeniedError)) throw error;
    const alert = tries === 1;
    ctx.log("store_access_denied", { alert, account_id: ctx.account.id, topic, cause: error.message });
    return "later";
  };
}

/** Each asks the store for the record as it is now, so that neither the order of deliveries nor their repetition matters. */
const actions: Record<WebhookKind, (ctx: Ctx, subject: string) => Promise<JobOutcome>> = {
  attempt: refreshAttempt,
  contract: refreshContract,
  cycle: refreshCycle,
  order: refreshOrder,
  payment_method: refreshPaymentMethod,
  payment_setup: finishPaymentSetup,
  refund: refreshRefunds,
  dispute: refreshDispute,
  selling_plans: refreshSellingPlans,
  customer: refreshCustomer,
  customer_merge: mergeCustomers,
  uninstalled: checkInstallation,
  scopes: refreshScopes,
  data_request: reportDataRequest,
  customer_redaction: redactCustomer,
  shop_redaction: redactShop,
};
