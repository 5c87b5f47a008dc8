import { insertRows } from "../../src/base/db/bulk.ts";
import type { Value } from "../../src/base/db/port.ts";
import { demoPlanIds } from "../../src/base/demo.ts";
import type { SellingPlan } from "../../src/domain/selling-plans/tables.ts";
import { demoAccountSeq } from "./account.ts";
import type { Part } from "./part.ts";

type Terms = Omit<SellingPlan, "account_seq" | "created_at" | "updated_at">;

const common = {
  min_cycles: null,
  max_cycles: null,
  is_active: 1,
  shipping_amount: 495,
  store_group_id: null,
  product_ids: null,
  store_plan_id: null,
  store_sync_error: null,
} as const;

export const demoPlans: Record<keyof typeof demoPlanIds, Terms> = {
  weekly: {
    ...common,
    id: demoPlanIds.weekly,
    name: "Every week, 10 % off",
    billing_interval: "WEEK",
    billing_interval_count: 1,
    delivery_interval: "WEEK",
    delivery_interval_count: 1,
    discount_type: "PERCENTAGE",
    discount_value: 1000,
  },
  fortnightly: {
    ...common,
    id: demoPlanIds.fortnightly,
    name: "Every 2 weeks, 1.50 off each",
    billing_interval: "WEEK",
    billing_interval_count: 2,
    delivery_interval: "WEEK",
    delivery_interval_count: 2,
    discount_type: "FIXED_AMOUNT",
    discount_value: 150,
  },
  monthly: {
    ...common,
    id: demoPlanIds.monthly,
    name: "Every month",
    billing_interval: "MONTH",
    billing_interval_count: 1,
    delivery_interval: "MONTH",
    delivery_interval_count: 1,
    discount_type: null,
    discount_value: null,
    min_cycles: 2,
  },
  prepaid: {
    ...common,
    id: demoPlanIds.prepaid,
    name: "3 months prepaid, delivered monthly",
    billing_interval: "MONTH",
    billing_interval_count: 3,
    delivery_interval: "MONTH",
    delivery_interval_count: 1,
    discount_type: "PERCENTAGE",
    discount_value: 1500,
    shipping_amount: 0,
  },
};

export const plansPart: Part = (now) => {
  const stamps = { created_at: now.toISOString(), updated_at: now.toISOString() };
  const rows = Object.values(demoPlans).map(
    (plan): Record<string, Value> => ({ ...plan, account_seq: demoAccountSeq, ...stamps }),
  );
  return insertRows("selling_plans", rows);
};
