import { z } from "@hono/zod-openapi";
import { demoId } from "../../base/demo.ts";
import { named } from "../../kit/http/document/describe.ts";
import { positiveMoneyIn } from "../../kit/http/document/money.ts";
import { imageUrl, maxText, nullableText, pathId } from "../../kit/http/document/params.ts";
import { FulfillmentStatus } from "../orders/schemas.ts";

export const orderPath = pathId("order", demoId("order", 2));

/** The longest texts that couriers' numbers and names need. */
const maxTracking = 255;

export const FulfillmentRequest = named(
  "FulfillmentRequest",
  z.strictObject({
    fulfillment_status: FulfillmentStatus,
    tracking_number: nullableText(maxTracking).optional(),
    tracking_company: nullableText(maxTracking).optional(),
    tracking_url: imageUrl.nullable().optional(),
  }),
  {
    fulfillment_status:
      "How far the order is sent: as far as it is now, or further. UNFULFILLED, then PARTIALLY_FULFILLED, then FULFILLED.",
    tracking_number: [
      "The parcel's tracking number, at most 255 characters. Absent: as it is; null: none.",
      "1Z10000001",
    ],
    tracking_company: ["The courier, at most 255 characters. Absent: as it is; null: none.", "UPS"],
    tracking_url: [
      "Where the parcel can be followed: an https address without credentials, at most 2,048 characters. Absent: as it is; null: none.",
      "https://tracking.example.com/1Z10000001",
    ],
  },
  {
    example: {
      fulfillment_status: "FULFILLED",
      tracking_number: "1Z10000001",
      tracking_company: "UPS",
      tracking_url: "https://tracking.example.com/1Z10000001",
    },
  },
);

const reason = nullableText(maxText).optional();
const reasonText = "at most 10,000 characters. Null or absent: nothing is said.";

export const OrderCancelRequest = named(
  "OrderCancelRequest",
  z.strictObject({ reason, refund: z.boolean().optional() }),
  {
    reason: [`Why, in the caller's words, ${reasonText}`, "Ordered twice"],
    refund: [
      "Whether all that is left of the order is paid back, which needs the scope billing:write besides. False by default.",
      true,
    ],
  },
  { example: { reason: "Ordered twice", refund: true } },
);

export const RefundRequest = named(
  "RefundRequest",
  z.strictObject({ amount: positiveMoneyIn.optional(), reason }),
  {
    amount: [
      "How much is paid back: major units of the order's currency, more than 0 and no more than is left of the order. By default all that is left.",
      12.5,
    ],
    reason: [
      `Why, in the merchant's own words, ${reasonText} The store may show it to the customer.`,
      "One bag arrived torn",
    ],
  },
  { example: { amount: 12.5, reason: "One bag arrived torn" } },
);
