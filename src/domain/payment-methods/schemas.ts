import { z } from "@hono/zod-openapi";
import { demoId } from "../../base/demo.ts";
import { named } from "../../kit/http/document/describe.ts";
import { idOut } from "../../kit/http/document/fields.ts";
import { paymentMethodStatuses } from "./tables.ts";

export const PaymentMethodBody = named(
  "PaymentMethod",
  z.strictObject({
    id: idOut,
    store_payment_method_id: z.string(),
    brand: z.string().nullable(),
    last4: z.string().nullable(),
    exp_month: z.int().nullable(),
    exp_year: z.int().nullable(),
    is_default: z.boolean(),
    status: z.enum(paymentMethodStatuses),
  }),
  {
    id: ["The payment method's id.", demoId("payment_method", 1)],
    store_payment_method_id: ["The payment method's plain id at the connected store.", "pm_success"],
    brand: ["The card's brand; null if not known, or no card.", "visa"],
    last4: ["The last four digits; null if not known, or no card.", "4242"],
    exp_month: ["The month in which the card expires, 1 to 12; null if not known, or no card.", 12],
    exp_year: ["The year in which the card expires; null if not known, or no card.", 2030],
    is_default: "Whether the store prefers it for the customer.",
    status:
      "VALID: it can be charged. EXPIRED: the card is past its date. REVOKED: the customer or the store has taken it away.",
  },
  { description: "A way to pay that a customer has given to the store. Card numbers are never stored." },
);
