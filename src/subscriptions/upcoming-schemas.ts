import { z } from "@hono/zod-openapi";
import { named } from "../http/describe.ts";
import { commonTexts, idOut, referenceTexts } from "../http/fields.ts";
import { moneyOut } from "../http/money.ts";
import { dataOf } from "../http/pagination.ts";
import { dateOut, queryInteger } from "../http/params.ts";
import { LineBody } from "./line-schemas.ts";

export const UpcomingQuery = z.strictObject({
  count: queryInteger({ min: 1, max: 24, fallback: 6 }).openapi({
    description: "How many deliveries to list: 1 to 24, 6 by default.",
    example: 6,
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
      "The calendar date on which the delivery is billed, in the account's time zone.",
      "2026-11-21",
    ],
    delivery_date: ["The calendar date of the delivery, in the account's time zone.", "2026-11-24"],
    is_billed: "Whether this delivery is charged; false for one that an earlier billing has paid for.",
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
