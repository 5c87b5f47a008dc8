import { z } from "@hono/zod-openapi";
import { PaymentMethodBody } from "../../domain/payment-methods/schemas.ts";
import { named } from "../../kit/http/document/describe.ts";
import { dataOf } from "../../kit/http/list/pagination.ts";

const PaymentMethodSetup = named(
  "PaymentMethodSetup",
  z.strictObject({ client_secret: z.string(), publishable_key: z.string() }),
  {
    client_secret: [
      "The client secret of the SetupIntent, for Stripe.js alone. The SetupIntent's id is what stands before `_secret_`.",
      "seti_1Example_secret_Example",
    ],
    publishable_key: ["The publishable key of the account at Stripe.", "pk_live_51Example"],
  },
  { description: "A payment method that a customer is about to enter." },
);

export const PaymentMethodSetupData = dataOf(PaymentMethodSetup, "PaymentMethodSetupData", "The setup.");
export const PaymentMethodData = dataOf(PaymentMethodBody, "PaymentMethodData", "The payment method.");
