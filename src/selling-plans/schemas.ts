import { z } from "@hono/zod-openapi";
import { moneyIn, moneyOut } from "../http/money.ts";
import { listOf, pageQuery } from "../http/pagination.ts";
import {
  instant,
  intervalCount,
  intervalUnit,
  intervalUnitOut,
  orNull,
  storeId,
  text,
} from "../http/params.ts";

/** The unit of a reduction: percent, or an amount of money. */
export const DiscountType = z.enum(["PERCENTAGE", "FIXED_AMOUNT"]).openapi("DiscountType");
const cycles = z.int().min(1).max(10_000);

export const SellingPlanBody = z
  .strictObject({
    id: z
      .string()
      .openapi({ description: "The id that the plan was created with: the store's own, or one of yours." }),
    account_id: z.string(),
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
    product_ids: z.array(z.string()).nullable().openapi({
      description:
        "The store's ids of the products that the store offers the plan for; null where that is decided at the store alone.",
    }),
    store_plan_id: z.string().nullable().openapi({
      description: "The store's id of the plan. Null until the store has it, and on the sandbox store.",
    }),
    store_sync_error: z.string().nullable().openapi({
      description: "Why the store has refused the plan; null where it has not.",
    }),
    created_at: instant,
    updated_at: instant,
  })
  .openapi("SellingPlan");

export const SellingPlanData = z.strictObject({ data: SellingPlanBody }).openapi("SellingPlanData");
export const SellingPlanList = listOf(SellingPlanBody, "SellingPlanList");
export const SellingPlanQuery = z.strictObject(pageQuery);

/** What a store takes in one request. */
const maxProducts = 250;

const optional = {
  product_ids: z
    .array(storeId)
    .max(maxProducts)
    .refine((ids) => new Set(ids).size === ids.length, "must not have a product twice")
    .nullable()
    .optional()
    .openapi({
      uniqueItems: true,
      description:
        "The store's ids of the products that the store offers the plan for, exactly these; null leaves that to the store. While " +
        "the plan is not active it is offered for none of them. Plans of groups that were made at the store ignore it.",
      example: ["8044010537025"],
    }),
  delivery_interval: intervalUnit.optional(),
  delivery_interval_count: intervalCount.optional(),
  discount_type: orNull(DiscountType).optional(),
  discount_value: moneyIn
    .nullable()
    .optional()
    .openapi({ description: "Percent, or major units off each unit.", example: 5 }),
  shipping_amount: moneyIn.optional(),
  min_cycles: cycles.nullable().optional(),
  max_cycles: cycles.nullable().optional(),
  is_active: z.boolean().optional(),
};

export const SellingPlanCreate = z
  .strictObject({
    id: text({ min: 1, max: 255 }),
    name: text({ min: 1, max: 255 }),
    billing_interval: intervalUnit,
    billing_interval_count: intervalCount,
    ...optional,
  })
  .openapi("SellingPlanCreate", {
    example: {
      id: "plan-every-2-months",
      name: "Every 2 months",
      billing_interval: "MONTH",
      billing_interval_count: 2,
      discount_type: "PERCENTAGE",
      discount_value: 5,
    },
  });

export const SellingPlanUpdate = z
  .strictObject({
    name: text({ min: 1, max: 255 }).optional(),
    billing_interval: intervalUnit.optional(),
    billing_interval_count: intervalCount.optional(),
    ...optional,
  })
  .openapi("SellingPlanUpdate", { example: { name: "Monthly, 10 % off" } });

export type NewSellingPlan = z.output<typeof SellingPlanCreate>;
export type SellingPlanChanges = z.output<typeof SellingPlanUpdate>;
