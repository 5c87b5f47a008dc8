import type { z } from "@hono/zod-openapi";
import type { PaymentMethodBody } from "./schemas.ts";
import type { PaymentMethod } from "./tables.ts";

export function presentPaymentMethod(row: PaymentMethod): z.input<typeof PaymentMethodBody> {
  return {
    id: row.id,
    store_payment_method_id: row.store_payment_method_id,
    brand: row.brand,
    last4: row.last4,
    exp_month: row.exp_month,
    exp_year: row.exp_year,
    is_default: row.is_default === 1,
    status: row.status,
  };
}
