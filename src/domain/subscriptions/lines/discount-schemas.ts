import { z } from "@hono/zod-openapi";
import { demoId } from "../../../base/demo.ts";
import { type FieldText, named } from "../../../kit/http/document/describe.ts";
import { percentageWithin } from "../../../kit/http/document/field-rules.ts";
import { commonTexts, idOut } from "../../../kit/http/document/fields.ts";
import { moneyIn, moneyOut, positiveMoneyIn } from "../../../kit/http/document/money.ts";
import { idInPath, instant, nullableText, orNull, text } from "../../../kit/http/document/params.ts";
import { DiscountType } from "../../selling-plans/schemas.ts";
import { targetTypes } from "./amounts.ts";

/** The amount that a discount reduces. */
const DiscountTarget = z.enum(targetTypes).openapi("DiscountTarget", {
  description:
    "What a discount reduces. ORDER: the goods as a whole, after the discounts of lines. LINE_ITEM: each line, in proportion. SHIPPING_LINE: the shipping.",
});

/** The descriptions of a discount's fields, in requests and responses. */
const discountTexts = {
  ...commonTexts,
  id: ["The discount's id.", demoId("subscription_discount", 2)],
  status:
    "ACTIVE: it counts. EXHAUSTED: it has counted for all of its cycles. REMOVED: somebody has taken it away.",
  is_active: "Whether the status is ACTIVE.",
  discount_code: ["The code that the customer entered, at most 255 characters; null for none.", "WELCOME10"],
  title: ["What customers see, 1 to 255 characters.", "Welcome"],
  value: [
    "How much it takes off: percent (0 to 100, at most 2 decimals) for PERCENTAGE, major units of the currency for FIXED_AMOUNT.",
    10,
  ],
  max_amount: ["The most that it takes off one charge, in major units; null for any.", null],
  store_discount_id: [
    "The discount's id at the connected store; its own id where the store has none.",
    "discount-2",
  ],
  currency_code: ["The ISO 4217 code of the value's currency; null for a percentage.", null],
  target_type: "What the discount reduces.",
  value_type: "Whether value is a percentage or an amount.",
  recurring_cycle_limit: [
    "For how many billed cycles it counts, 1 to 10,000; null: for as long as the subscription lasts.",
    6,
  ],
  applied_at: ["When it was applied: UTC.", "2026-11-20T12:00:00.000Z"],
  exhausted_at: ["When it counted for the last time: UTC. Null before.", null],
  removed_at: ["When it was taken away: UTC. Null if it was not.", null],
  is_shipping_discount: "Whether it reduces the shipping.",
  discount_label: ["How much it takes off, in English.", "10% off"],
} as const satisfies Record<string, FieldText>;

/** A discount of a subscription. */
export const DiscountBody = named(
  "SubscriptionDiscount",
  z.strictObject({
    id: idOut,
    status: z.enum(["ACTIVE", "EXHAUSTED", "REMOVED"]),
    is_active: z.boolean(),
    discount_code: z.string().nullable(),
    title: z.string(),
    value: z.number().nullable(),
    max_amount: moneyOut.nullable(),
    store_discount_id: z.string(),
    currency_code: z.string().nullable(),
    target_type: DiscountTarget,
    value_type: orNull(DiscountType),
    recurring_cycle_limit: z.int().nullable(),
    applied_at: instant.nullable(),
    exhausted_at: instant.nullable(),
    removed_at: instant.nullable(),
    is_shipping_discount: z.boolean(),
    discount_label: z.string(),
    created_at: instant,
    updated_at: instant,
  }),
  discountTexts,
  { description: "A discount that was given to one subscription, besides those of its plans." },
);

export const DiscountCreate = named(
  "SubscriptionDiscountCreate",
  z.strictObject({
    title: text({ min: 1, max: 255 }),
    value: moneyIn,
    value_type: DiscountType,
    max_amount: positiveMoneyIn.nullable().optional(),
    target_type: DiscountTarget,
    recurring_cycle_limit: z.int().min(1).max(10_000).nullable().optional(),
    discount_code: nullableText(255).optional(),
  }),
  discountTexts,
  {
    dependentSchemas: percentageWithin("value_type", "value"),
    example: {
      title: "Thank you",
      value: 10,
      value_type: "PERCENTAGE",
      target_type: "ORDER",
      recurring_cycle_limit: 3,
    },
  },
);

export const discountPath = z.object({
  id: idInPath("id", "subscription", demoId("subscription", 2)),
  discountId: idInPath("discountId", "discount", demoId("subscription_discount", 2)),
});
