import { z } from "@hono/zod-openapi";
import { demoId } from "../../base/demo.ts";
import { named } from "../../kit/http/document/describe.ts";
import { storeIdText } from "../../kit/http/document/fields.ts";
import { moneyIn } from "../../kit/http/document/money.ts";
import { dateIn, futureDateIn, idIn, idInPath, queryList, storeId } from "../../kit/http/document/params.ts";
import { pageQuery } from "../../kit/http/list/pagination.ts";
import { AttemptTrigger } from "./schemas.ts";
import { attemptStatuses } from "./tables.ts";

export const ShipNowRequest = named(
  "ShipNowRequest",
  z.strictObject({
    delivery_date: futureDateIn.optional(),
    slot_id: idIn.optional(),
    production_date: futureDateIn.optional(),
    allow_repeat: z.boolean().optional(),
  }),
  {
    delivery_date: [
      "The date of the delivery, from today to ten years ahead, on the slot's day if there is a slot: a calendar date, or a date-time, whose date in the account's time zone counts. Absent: the earliest that is possible.",
      "2030-01-15",
    ],
    slot_id: [
      "The id of an active delivery slot for this delivery. Absent: the subscription's own.",
      demoId("delivery_slot", 1),
    ],
    production_date: [
      "The date of packing, from today to the delivery: a calendar date, or a date-time, whose date in the account's time zone counts. Absent: what follows from the slot's day.",
      "2030-01-14",
    ],
    allow_repeat:
      "Whether to bill the next cycle even if an attempt was started less than ten minutes ago. False by default: such a request answers that attempt, so that a double click never charges twice.",
  },
  { example: {} },
);

export const PagesQuery = z.strictObject(pageQuery);

function bound(what: string) {
  return dateIn.optional().openapi({
    description: `Only attempts that were started ${what}: a date-time, or a date, which is its whole day in the account's time zone.`,
  });
}

export const AttemptQuery = z.strictObject({
  ...pageQuery,
  status: queryList(attemptStatuses).optional(),
  trigger: AttemptTrigger.optional().openapi({
    param: { description: "Only attempts that were started by this." },
  }),
  from: bound("at this time or later"),
  to: bound("at this time or earlier"),
  subscription_id: idIn.optional().openapi({
    description: "Only the attempts of this subscription.",
    example: demoId("subscription", 1),
  }),
});

const Charged = named(
  "BillingAttemptWasCharged",
  z.strictObject({
    charged: z.literal(true),
    store_order_id: storeId("Order"),
    amount: moneyIn.optional(),
  }),
  {
    charged: "true: the store has charged the customer.",
    store_order_id: storeIdText(
      "The store's id of the order that it made for the charge, 1 to 255 characters",
      "Order",
      "5001",
    ),
    amount: [
      "The amount that was charged, in major units of the attempt's currency. By default what the store says; if it cannot say, the amount of the attempt.",
      25,
    ],
  },
  { description: "What a person found at the store: a charge." },
);

const NotCharged = named(
  "BillingAttemptWasNotCharged",
  z.strictObject({ charged: z.literal(false) }),
  { charged: "false: the store has not charged the customer." },
  { description: "What a person found at the store: no charge." },
);

export const SettleRequest = z
  .union([Charged, NotCharged])
  .openapi("BillingAttemptSettle", { example: { charged: false } });

export const attemptPath = z.object({
  id: idInPath("id", "subscription", demoId("subscription", 1)),
  attemptId: idInPath("attemptId", "billing attempt", demoId("billing_attempt", 1)),
});
