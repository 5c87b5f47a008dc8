import { z } from "@hono/zod-openapi";
import { demoId } from "../../base/demo.ts";
import { named } from "../../kit/http/document/describe.ts";
import { idOut } from "../../kit/http/document/fields.ts";
import { instant } from "../../kit/http/document/params.ts";
import { dataOf } from "../../kit/http/list/pagination.ts";

export const PaymentUpdateData = dataOf(
  named("PaymentUpdate", z.strictObject({ payment_method_id: idOut, requested_at: instant }), {
    payment_method_id: [
      "The payment method that the link replaces: the one that the subscription is paid with.",
      demoId("payment_method", 1),
    ],
    requested_at: "When it was asked for.",
  }),
  "PaymentUpdateData",
  "The e-mail that was asked for.",
);
