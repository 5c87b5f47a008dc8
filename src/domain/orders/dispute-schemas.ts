import { z } from "@hono/zod-openapi";
import { demoId } from "../../base/demo.ts";
import { named } from "../../kit/http/document/describe.ts";
import { commonTexts, idOut } from "../../kit/http/document/fields.ts";
import { moneyOut } from "../../kit/http/document/money.ts";
import { instant } from "../../kit/http/document/params.ts";
import { disputeStatuses } from "../../stores/port/disputes.ts";

const DisputeStatus = z.enum(disputeStatuses).openapi("DisputeStatus", {
  description:
    "How a dispute stands. NEEDS_RESPONSE: the merchant can answer it, at the store. UNDER_REVIEW: the bank decides. WON: the payment stands. LOST: the customer has the money back. CLOSED: an inquiry that came to nothing. PREVENTED: the payment was paid back before a dispute was made of it.",
});

export const OrderDisputeBody = named(
  "OrderDispute",
  z.strictObject({
    id: idOut,
    store_dispute_id: z.string(),
    status: DisputeStatus,
    is_inquiry: z.boolean(),
    amount: moneyOut,
    currency_code: z.string(),
    reason: z.string().nullable(),
    opened_at: instant,
    closed_at: instant.nullable(),
  }),
  {
    ...commonTexts,
    id: ["The dispute's id.", demoId("order_dispute", 1)],
    store_dispute_id: ["The dispute's id at the store, where it is answered.", "du_1Example"],
    status: "How it stands.",
    is_inquiry:
      "Whether the bank only asks about the payment, or did so to the end: an inquiry takes no money, and may become a chargeback.",
    amount: ["How much is disputed: major units of currency_code.", 40.9],
    reason: [
      "The bank's category, as the store names it, such as `fraudulent` or `product_not_received`; null where it has none.",
      "product_not_received",
    ],
    opened_at: ["When it was opened, by the store: UTC.", "2026-11-25T09:00:00.000Z"],
    closed_at: ["When it was seen to be over: UTC. Null while it is open.", null],
  },
  { description: "A customer's dispute of the payment of an order, at their bank." },
);
