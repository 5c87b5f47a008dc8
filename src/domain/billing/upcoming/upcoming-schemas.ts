import { z } from "@hono/zod-openapi";
import { named } from "../../../kit/http/document/describe.ts";
import { commonTexts, idOut, referenceTexts } from "../../../kit/http/document/fields.ts";
import { moneyOut } from "../../../kit/http/document/money.ts";
import { dateOut, futureDateIn, queryInteger } from "../../../kit/http/document/params.ts";
import { dataOf } from "../../../kit/http/list/pagination.ts";
import { LineBody } from "../../subscriptions/lines/line-schemas.ts";

export const UpcomingQuery = z.strictObject({
  count: queryInteger({ min: 1, max: 24, fallback: 6 }).openapi({
    description: "How many deliveries to list: 1 to 24, 6 by default.",
    example: 6,
  }),
  pause_until: futureDateIn.optional().openapi({
    description:
      "Shows the deliveries as if the subscription were paused now until this date, to preview pauseSubscription; nothing is changed. From tomorrow to ten years ahead: a calendar date, or a date-time, whose date in the account's time zone counts. Refused where the subscription is neither ACTIVE nor PAUSED.",
    example: "2030-01-15",
  }),
});

const UpcomingDelivery = named(
  "UpcomingDelivery",
  z.strictObject({
    cycle: z.int(),
    billing_date: dateOut,
    delivery_date: dateOut,
    production_date: dateOut.nullable(),
    delivery_slot_id: idOut.nullable(),
    is_billed: z.boolean(),
    is_at_risk: z.boolean(),
    lines: z.array(LineBody),
    subtotal: moneyOut,
    discount_amount: moneyOut,
    shipping_amount: moneyOut,
    tax_amount: moneyOut,
    total: moneyOut,
    currency_code: z.string(),
  }),
  {
    ...commonTexts,
    ...referenceTexts,
    billing_date: [
      "The calendar date on which the delivery is ordered, in the account's time zone: when it is charged, or tried next where a payment is owed; for one that is paid for, when it is packed, or delivered.",
      "2026-11-21",
    ],
    delivery_date: ["The calendar date of the delivery, in the account's time zone.", "2026-11-24"],
    is_billed: "Whether this delivery is charged; false for one that an earlier billing has paid for.",
    is_at_risk:
      "Whether the delivery may not come, as it depends on a payment in doubt: that of the cycle that is owed, any while billing stands still (billing_blocked_reason) or there is no payment method that is VALID, or any from a charge on whose total the store refuses, as one below its minimum. False for a delivery that is paid for.",
    lines: "What is delivered.",
    subtotal: ["The lines' totals before discounts: major units of currency_code.", 39.95],
    discount_amount: ["What all discounts take off: major units of currency_code.", 4],
    shipping_amount: ["What shipping costs before discounts: major units of currency_code.", 4.95],
    tax_amount: ["Tax in the total: 0, because the store adds tax itself when it charges.", 0],
    total: ["What will be charged: major units of currency_code.", 40.9],
  },
  { description: "A delivery that will be made if nothing else happens." },
);
export const Upcoming = dataOf(
  z.array(UpcomingDelivery),
  "Upcoming",
  "The next deliveries in order; empty where none is planned.",
);
