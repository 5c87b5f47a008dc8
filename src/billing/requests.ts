import { z } from "@hono/zod-openapi";
import { demoId } from "../demo.ts";
import { moneyIn } from "../http/money.ts";
import { pageQuery } from "../http/pagination.ts";
import { dateIn, futureDateIn, idIn, queryList, text } from "../http/params.ts";
import { AttemptTrigger } from "./schemas.ts";
import { attemptStatuses } from "./tables.ts";

export const ShipNowRequest = z
  .strictObject({
    delivery_date: futureDateIn.optional(),
    slot_id: idIn.optional(),
    production_date: futureDateIn.optional(),
    allow_repeat: z.boolean().optional().openapi({
      description:
        "Whether to bill the next cycle even if an attempt was started less than ten minutes ago. Without it such a request answers that attempt, so that a double click never charges twice.",
      example: false,
    }),
  })
  .openapi("ShipNowRequest", { example: {} });

export const PagesQuery = z.strictObject(pageQuery);

const bound = (what: string) =>
  dateIn.optional().openapi({
    description: `Only attempts that were started ${what}: a date-time, or a date, which is its whole day in the account's time zone.`,
  });

export const AttemptQuery = z.strictObject({
  ...pageQuery,
  status: queryList(attemptStatuses).optional(),
  trigger: AttemptTrigger.optional(),
  from: bound("at this time or later"),
  to: bound("at this time or earlier"),
  subscription_id: idIn.optional().openapi({
    description: "Only the attempts of this subscription.",
    example: demoId("subscription", 1),
  }),
});

const Charged = z.strictObject({
  charged: z.literal(true).openapi({ description: "The store has charged the customer." }),
  store_order_id: text({ min: 1, max: 255 }).openapi({
    description: "The store's id of the order that it made for the charge.",
    example: "gid://shopify/Order/5001",
  }),
  amount: moneyIn.optional().openapi({
    description:
      "The amount that was charged, in major units of the attempt's currency. By default what the store says; if it cannot say, the amount of the attempt.",
    example: 25,
  }),
});

const NotCharged = z.strictObject({
  charged: z.literal(false).openapi({ description: "The store has not charged the customer." }),
});

export const SettleRequest = z
  .union([Charged, NotCharged])
  .openapi("BillingAttemptSettle", { example: { charged: false } });

export const attemptPath = z.object({
  id: idIn.openapi({ example: demoId("subscription", 1) }),
  attemptId: idIn.openapi({ example: demoId("billing_attempt", 1) }),
});
