import type { Ctx } from "../../../kit/context.ts";
import { findAttempt } from "../../billing/queries.ts";
import { type ChargeSnapshot, snapshotOf } from "../../billing/snapshot.ts";
import type { EventRow } from "../../events/queries.ts";
import { getOrder, type OrderRow } from "../../orders/queries.ts";
import type { OrderLine } from "../../orders/tables.ts";
import { findMethod } from "../../payment-methods/queries.ts";
import { getSubscription } from "../../subscriptions/queries.ts";
import type { Line, MailFacts } from "../render/facts.ts";
import { SilenceError } from "./silence.ts";
import { cardOf, factsOfSubscription } from "./subscription.ts";

/** An order of a subscription, as it was paid. The store sends the receipts of what it has sold by itself. */
export async function prepareReceipt(ctx: Ctx, event: EventRow): Promise<MailFacts["receipt"]> {
  const order = await getOrder(ctx, event.loggable_id);
  const [subscription] = JSON.parse(order.subscriptions) as { id: string }[];
  if (!subscription) throw new SilenceError("store_sends");
  const view = await getSubscription(ctx, subscription.id);
  const attempt =
    order.billing_attempt_id === null ? undefined : await findAttempt(ctx, order.billing_attempt_id);
  const charge: Charge | undefined = attempt && snapshotOf(attempt);
  const methodId = charge?.payment_method_id ?? null;
  const isCharged = order.total > 0;
  return {
    ...factsOfSubscription(ctx, view),
    lines: orderLines(order),
    amount: order.total,
    currency_code: order.currency_code,
    order_number: order.store_order_number ?? order.external_order_number,
    placed_at: order.order_created_at ?? order.created_at,
    is_prepaid: order.is_prepaid === 1,
    discount_amount: order.discount_amount,
    shipping_amount: charge?.shipping_amount ?? null,
    tax_amount: charge?.tax_amount ?? null,
    card: isCharged && methodId !== null ? cardOf(await findMethod(ctx, methodId)) : null,
    delivery_date: order.delivery_date,
  };
}

type Charge = Pick<ChargeSnapshot, "shipping_amount" | "tax_amount" | "payment_method_id">;

function orderLines({ lines }: Pick<OrderRow, "lines">): Line[] {
  if (lines === null) return [];
  return (JSON.parse(lines) as OrderLine[]).map(({ product_title, variant_title, quantity, line_total }) => ({
    title: product_title,
    variant_title,
    quantity,
    amount: line_total,
  }));
}
