import { z } from "@hono/zod-openapi";
import { paymentMethodStatuses } from "./tables.ts";

export const PaymentMethodBody = z
  .strictObject({
    id: z.string(),
    store_payment_method_id: z.string(),
    brand: z.string().nullable(),
    last4: z.string().nullable(),
    exp_month: z.int().nullable(),
    exp_year: z.int().nullable(),
    is_default: z.boolean(),
    status: z.enum(paymentMethodStatuses),
  })
  .openapi("PaymentMethod");
