import type { Ctx } from "../../../kit/context.ts";
import { findAttempt } from "../../billing/queries.ts";
import { snapshotOf } from "../../billing/snapshot.ts";
import type { EventRow } from "../../events/queries.ts";
import { getOrder } from "../../orders/queries.ts";
import { findMethod } from "../../payment-methods/queries.ts";
import type { MailFacts } from "../render/facts.ts";
import { factsOfOrder, subscriptionOf } from "./order.ts";
import { cardOf } from "./subscription.ts";

/** An order of a subscription, as it was paid. */
export async function prepareReceipt(ctx: Ctx, event: EventRow): Promise<MailFacts["receipt"]> {
  const order = await getOrder(ctx, event.loggable_id);
  const view = await subscriptionOf(ctx, order);
  const { billing_attempt_id } = order;
  const attempt = billing_attempt_id === null ? undefined : await findAttempt(ctx, billing_attempt_id);
  const charge = attempt && snapshotOf(attempt);
  const methodId = charge?.payment_method_id ?? null;
  return {
    ...factsOfOrder(ctx, order, view),
    placed_at: order.order_created_at ?? order.created_at,
    is_prepaid: order.is_prepaid === 1,
    discount_amount: order.discount_amount,
    shipping_amount: charge?.shipping_amount ?? null,
    tax_amount: charge?.tax_amount ?? null,
    card: order.total > 0 && methodId !== null ? cardOf(await findMethod(ctx, methodId)) : null,
  };
}
