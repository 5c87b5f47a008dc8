import { z } from "@hono/zod-openapi";
import { demoId } from "../../base/demo.ts";
import { named } from "../../kit/http/document/describe.ts";
import { commonTexts, idOut } from "../../kit/http/document/fields.ts";
import { moneyOut } from "../../kit/http/document/money.ts";
import { instant } from "../../kit/http/document/params.ts";
import { dataOf, listOf, pageQuery } from "../../kit/http/list/pagination.ts";
import { refundStatuses } from "./tables.ts";

const RefundStatus = z.enum(refundStatuses).openapi("RefundStatus", {
  description:
    "What has become of a refund. PENDING: the store has not said yet; it is asked until it does. SUCCEEDED: paid back. FAILED: not paid back, and its amount can be refunded again.",
});

export const OrderRefundBody = named(
  "OrderRefund",
  z.strictObject({
    id: idOut,
    order_id: idOut,
    amount: moneyOut,
    currency_code: z.string(),
    status: RefundStatus,
    reason: z.string().nullable(),
    is_made_at_store: z.boolean(),
    store_reference: z.string().nullable(),
    error_message: z.string().nullable(),
    created_at: instant,
    updated_at: instant,
  }),
  {
    ...commonTexts,
    id: ["The refund's id.", demoId("order_refund", 1)],
    order_id: ["The id of the order that is paid back.", demoId("order", 2)],
    amount: ["How much is paid back, in major units of currency_code.", 12.5],
    status: "What has become of it.",
    reason: ["Why, in the merchant's own words; null where nothing was said.", "One bag arrived torn"],
    is_made_at_store: "Whether it was made at the store itself, and not by this service.",
    store_reference: [
      "The store's own id of the refund; null until the store has said it, and where it refused.",
      "sandbox-refund-1",
    ],
    error_message: ["Why it has failed, in the store's words; null unless it has.", null],
  },
  { description: "Money of an order that is paid back to its customer." },
);

export const OrderRefundData = dataOf(OrderRefundBody, "OrderRefundData", "The refund.");
export const OrderRefundList = listOf(OrderRefundBody, "OrderRefundList");
export const OrderRefundQuery = z.strictObject(pageQuery);
