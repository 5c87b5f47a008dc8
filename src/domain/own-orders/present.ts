import type { z } from "@hono/zod-openapi";
import { toMajor } from "../../base/lib/money.ts";
import type { Order } from "../orders/tables.ts";
import type { OrderRefundBody } from "./schemas.ts";
import type { OrderRefund } from "./tables.ts";

export function presentRefund(
  refund: OrderRefund,
  { currency_code }: Pick<Order, "currency_code">,
): z.input<typeof OrderRefundBody> {
  return {
    id: refund.id,
    order_id: refund.order_id,
    amount: toMajor(refund.amount, currency_code),
    currency_code,
    status: refund.status,
    reason: refund.reason,
    is_made_at_store: refund.is_own === 0,
    store_reference: refund.store_reference,
    error_message: refund.error_message,
    created_at: refund.created_at,
    updated_at: refund.updated_at,
  };
}
