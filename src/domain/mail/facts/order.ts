import type { Ctx } from "../../../kit/context.ts";
import { readProspect } from "../../billing/upcoming/prospect.ts";
import type { OrderRow } from "../../orders/queries.ts";
import type { OrderLine } from "../../orders/tables.ts";
import type { LetterLine, OfSubscription } from "../render/facts.ts";
import { SilenceError } from "./silence.ts";
import { factsOfSubscription, type MailProspect } from "./subscription.ts";

/** The subscription that an order is of. Without one the store has sold it, and writes to its customer itself. */
export async function subscriptionOf(ctx: Ctx, order: OrderRow): Promise<MailProspect> {
  const [subscription] = JSON.parse(order.subscriptions) as { id: string }[];
  if (!subscription) throw new SilenceError("store_sends");
  return readProspect(ctx, subscription.id);
}

/** The facts of an order in every mail about it. */
export function factsOfOrder(
  ctx: Ctx,
  order: OrderRow,
  prospect: MailProspect,
): OfSubscription & { order_number: string | null; delivery_date: string | null } {
  return {
    ...factsOfSubscription(ctx, prospect),
    lines: orderLines(order),
    amount: order.total,
    currency_code: order.currency_code,
    order_number: order.store_order_number ?? order.external_order_number,
    delivery_date: order.delivery_date,
  };
}

function orderLines({ lines }: Pick<OrderRow, "lines">): LetterLine[] {
  if (lines === null) return [];
  return (JSON.parse(lines) as OrderLine[]).map(
    ({ product_title, variant_title, store_variant_id, quantity, line_total }) => ({
      title: product_title,
      variant_title,
      quantity,
      amount: line_total,
      store_variant_id,
    }),
  );
}
