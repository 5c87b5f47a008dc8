import { z } from "@hono/zod-openapi";
import { demoPlanIds } from "../../base/demo.ts";
import { type FieldText, named } from "../../kit/http/document/describe.ts";
import {
  bothNullOrNeither,
  countWithinOwnUnit,
  countWithinUnit,
  percentageWithin,
} from "../../kit/http/document/field-rules.ts";
import { commonTexts, idOut, storeIdText } from "../../kit/http/document/fields.ts";
import { moneyIn, moneyOut } from "../../kit/http/document/money.ts";
import {
  instant,
  intervalCount,
  intervalUnit,
  intervalUnitOut,
  orNull,
  storeId,
  text,
} from "../../kit/http/document/params.ts";
import { changedOf, dataOf, listOf, pageQuery } from "../../kit/http/list/pagination.ts";

/** The unit of a reduction: percent, or an amount of money. */
export const DiscountType = z.enum(["PERCENTAGE", "FIXED_AMOUNT"]).openapi("DiscountType", {
  description:
    "What the value of a discount is. PERCENTAGE: percent, 0 to 100 with at most 2 decimals. FIXED_AMOUNT: major units of the currency.",
});
const cycles = z.int().min(1).max(10_000);

/** The descriptions of a selling plan's fields, in requests and responses. */
const planTexts = {
  ...commonTexts,
  id: storeIdText(
    "The plan's id, 1 to 255 characters, unique in the account: one of yours, or the store's own id of a plan that the store has",
    "SellingPlan",
    demoPlanIds.monthly,
  ),
  name: ["What customers see, 1 to 255 characters.", "Every month"],
  billing_interval: "The unit of the interval at which customers are charged.",
  billing_interval_count: [
    "How many of these units lie between two charges: at most 365 days, 52 weeks, 24 months or 3 years.",
    1,
  ],
  delivery_interval: "The unit of the interval at which deliveries are made. By default that of the billing.",
  delivery_interval_count: [
    "How many of these units lie between two deliveries. By default that of the billing. The billing interval has to be a whole multiple of the delivery interval; a larger one is a prepaid plan.",
    1,
  ],
  discount_type: "What discount_value is; null together with it: the plan gives no discount.",
  discount_value: [
    "What the plan takes off each unit: percent (0 to 100, at most 2 decimals) for PERCENTAGE, major units of the account's currency for FIXED_AMOUNT. Null, with discount_type, for no discount.",
    10,
  ],
  shipping_amount: ["What a delivery costs: major units of the account's currency. 0 by default.", 4.95],
  min_cycles: ["How many cycles a customer agrees to before they can cancel, 1 to 10,000. Null: none.", 2],
  max_cycles: [
    "After how many billed cycles a subscription expires, 1 to 10,000. Null: it goes on until it is cancelled.",
    null,
  ],
  is_active: "Whether new lines can be sold on the plan. True by default.",
  product_ids: [
    "The store's ids of the products that the store offers the plan for: exactly these, at most 250, none of them while the plan is not active. Null: that is decided at the store alone. Plans that the store has made itself ignore it. Responses have the plain ids, such as 123; requests may have them as gid://shopify/Product/123 too.",
    ["8044010537025"],
  ],
  store_plan_id: [
    "The store's id of a plan that was created here. Null until the store has it, and on the sandbox store.",
    "3200000001",
  ],
  store_sync_error: [
    "Why the store has refused the plan, which is sent again later; or what of the price of the store's own plan is not kept here. Null where there is nothing to say.",
    null,
  ],
} as const satisfies Record<string, FieldText>;

export const SellingPlanBody = named(
  "SellingPlan",
  z.strictObject({
    id: z.string(),
    account_id: idOut,
    name: z.string(),
    billing_interval: intervalUnitOut,
    billing_interval_count: z.int(),
    delivery_interval: intervalUnitOut,
    delivery_interval_count: z.int(),
    discount_type: orNull(DiscountType),
    discount_value: z.number().nullable(),
    shipping_amount: moneyOut,
    min_cycles: z.int().nullable(),
    max_cycles: z.int().nullable(),
    is_active: z.boolean(),
    product_ids: z.array(z.string()).nullable(),
    store_plan_id: z.string().nullable(),
    store_sync_error: z.string().nullable(),
    created_at: instant,
    updated_at: instant,
  }),
  planTexts,
  { description: "How a product is sold on subscription: how often, at what discount, for how long." },
);

export const SellingPlanData = dataOf(SellingPlanBody, "SellingPlanData", "The selling plan.");
export const SellingPlanChanged = changedOf(SellingPlanBody, "SellingPlanChanged", "The selling plan.");
export const SellingPlanList = listOf(SellingPlanBody, "SellingPlanList");
export const SellingPlanQuery = z.strictObject(pageQuery);

/** The most products that a store takes in one request. */
const maxProducts = 250;

const optional = {
  product_ids: z
    .array(storeId("Product"))
    .max(maxProducts)
    .refine((ids) => new Set(ids).size === ids.length, "must not have a product twice")
    .nullable()
    .optional()
    .openapi({ uniqueItems: true }),
  delivery_interval: intervalUnit.optional(),
  delivery_interval_count: intervalCount.optional(),
  discount_type: orNull(DiscountType).optional(),
  discount_value: moneyIn.nullable().optional(),
  shipping_amount: moneyIn.optional(),
  min_cycles: cycles.nullable().optional(),
  max_cycles: cycles.nullable().optional(),
  is_active: z.boolean().optional(),
};

/** The rules between the terms of a plan. Those that depend on a term which the request leaves out are the plan's own to say. */
const discountRules = {
  ...bothNullOrNeither("discount_type", "discount_value"),
  ...percentageWithin("discount_type", "discount_value"),
};
const billing = { unit: "billing_interval", count: "billing_interval_count" };
const delivery = { unit: "delivery_interval", count: "delivery_interval_count" };

export const SellingPlanCreate = named(
  "SellingPlanCreate",
  z.strictObject({
    id: storeId("SellingPlan"),
    name: text({ min: 1, max: 255 }),
    billing_interval: intervalUnit,
    billing_interval_count: intervalCount,
    ...optional,
  }),
  planTexts,
  {
    dependentRequired: { discount_type: ["discount_value"], discount_value: ["discount_type"] },
    dependentSchemas: {
      ...discountRules,
      ...countWithinUnit(billing.unit, billing.count),
      ...countWithinOwnUnit(delivery, billing),
    },
    example: {
      id: "plan-every-2-months",
      name: "Every 2 months",
      billing_interval: "MONTH",
      billing_interval_count: 2,
      discount_type: "PERCENTAGE",
      discount_value: 5,
    },
  },
);

export const SellingPlanUpdate = named(
  "SellingPlanUpdate",
  z.strictObject({
    name: text({ min: 1, max: 255 }).optional(),
    billing_interval: intervalUnit.optional(),
    billing_interval_count: intervalCount.optional(),
    ...optional,
  }),
  {
    ...planTexts,
    delivery_interval:
      "The unit of the interval at which deliveries are made. One that equals the billing's follows it.",
    delivery_interval_count: [
      "How many of these units lie between two deliveries. The billing interval has to be a whole multiple of the delivery interval.",
      1,
    ],
    shipping_amount: ["What a delivery costs: major units of the account's currency.", 4.95],
    is_active: "Whether new lines can be sold on the plan.",
  },
  {
    description: "Fields that are absent stay as they are; null clears one.",
    dependentSchemas: {
      ...discountRules,
      ...countWithinUnit(billing.unit, billing.count),
      ...countWithinUnit(delivery.unit, delivery.count),
    },
    example: { name: "Monthly, 10 % off" },
  },
);

export type NewSellingPlan = z.output<typeof SellingPlanCreate>;
export type SellingPlanChanges = z.output<typeof SellingPlanUpdate>;
