import type { z } from "@hono/zod-openapi";
import type { Account } from "../../base/accounts/tables.ts";
import { toMajor } from "../../base/lib/money.ts";
import { plainId } from "../../stores/ids.ts";
import { productIdsOf } from "./rules.ts";
import type { SellingPlanBody } from "./schemas.ts";
import type { SellingPlan } from "./tables.ts";

/** The value of a reduction in percent or major units. */
export function reductionValue(type: "PERCENTAGE" | "FIXED_AMOUNT", value: number, currency: string): number {
  return type === "PERCENTAGE" ? value / 100 : toMajor(value, currency);
}

export function presentSellingPlan(
  row: SellingPlan,
  account: Pick<Account, "id" | "currency_code">,
): z.input<typeof SellingPlanBody> {
  return {
    id: row.id,
    account_id: account.id,
    name: row.name,
    billing_interval: row.billing_interval,
    billing_interval_count: row.billing_interval_count,
    delivery_interval: row.delivery_interval,
    delivery_interval_count: row.delivery_interval_count,
    discount_type: row.discount_type,
    discount_value:
      row.discount_type === null || row.discount_value === null
        ? null
        : reductionValue(row.discount_type, row.discount_value, account.currency_code),
    shipping_amount: toMajor(row.shipping_amount, account.currency_code),
    min_cycles: row.min_cycles,
    max_cycles: row.max_cycles,
    is_active: row.is_active === 1,
    product_ids: productIdsOf(row),
    store_plan_id: row.store_plan_id ?? (row.store_group_id === null ? null : plainId("SellingPlan", row.id)),
    store_sync_error: row.store_sync_error,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}
