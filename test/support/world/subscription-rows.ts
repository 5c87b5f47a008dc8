import { newEntries } from "../../../src/base/db/new-entries.ts";
import { instantOf, newId } from "../../../src/base/lib/ids.ts";
import { paymentMethods } from "../../../src/domain/payment-methods/tables.ts";
import type { Discount, Line } from "../../../src/domain/subscriptions/lines/amounts.ts";
import { pricedColumns } from "../../../src/domain/subscriptions/lines/lines.ts";
import { subscriptionSkips, subscriptions, undoImages } from "../../../src/domain/subscriptions/tables.ts";
import { insertOf, someOf } from "../database.ts";
import type { Tenant } from "../tenant.ts";
import { type Ids, now, stamps } from "./part.ts";

export const far = "2035-01-31";

export function subscriptionRow(
  { account }: Tenant,
  mark: string,
  ids: Ids,
  values: Partial<typeof subscriptions.$inferInsert> & { id: string; number: number },
) {
  const { profile, entity, method } = ids;
  return someOf(subscriptions, {
    account_id: account.id,
    revision: 1,
    profile_id: profile,
    entity_id: entity,
    entity_label: mark,
    status: "ACTIVE",
    currency_code: "USD",
    billing_interval: "MONTH",
    billing_interval_count: 1,
    delivery_interval: "MONTH",
    delivery_interval_count: 1,
    anchor_date: far,
    next_index: 0,
    next_billed_index: 0,
    schedule_revision: 1,
    next_billing_date: far,
    next_delivery_date: far,
    payment_method_id: method,
    store_contract_id: values.number,
    note: mark,
    delivery_instructions: mark,
    ...contentColumns(mark, ids),
    ...stamps,
    ...values,
  });
}

/** Two lines and a discount, with their amounts. */
export function contentColumns(mark: string, { line, discount, plan }: Ids) {
  return pricedColumns([lineOf(line, plan, mark), lineOf(newId(), plan, mark)], [discountOf(discount, mark)]);
}

export function paymentMethodRow({ account }: Tenant, mark: string, { method, profile }: Ids) {
  return insertOf(paymentMethods, {
    id: method,
    account_id: account.id,
    profile_id: profile,
    store_payment_method_id: mark,
    brand: mark,
    is_default: 1,
    status: "VALID",
    ...stamps,
  });
}

/** A change of what has a skip, made just now: its instructions were others. */
export function undoableRows(
  { account }: Tenant,
  mark: string,
  { changed, skipped, profile }: Ids & { changed: string },
) {
  const created_at = instantOf(changed);
  const columns = { delivery_instructions: { from: null, to: mark } };
  return [
    insertOf(newEntries, {
      id: changed,
      account_id: account.id,
      action: "delivery_instructions_updated",
      type: "subscription.delivery_instructions_updated",
      actor_type: "customer",
      actor_name: mark,
      loggable_type: "subscription",
      loggable_id: skipped,
      subscription_id: skipped,
      profile_id: profile,
      created_at,
    }),
    insertOf(undoImages, {
      account_id: account.id,
      subscription_id: skipped,
      entry_id: changed,
      activation: 1,
      cycle: 1,
      changes: JSON.stringify({ columns, lines: [], discounts: [] }),
      created_at,
    }),
  ];
}

export function skipRow({ account }: Tenant, mark: string, { skip, skipped }: Ids) {
  return insertOf(subscriptionSkips, {
    id: skip,
    account_id: account.id,
    subscription_id: skipped,
    cycle: 1,
    skip_weeks: 1,
    reason: mark,
    previous_index: 0,
    previous_anchor_date: "2035-01-24",
    previous_delivery_date: "2035-01-24",
    previous_billing_date: "2035-01-24",
    schedule_revision: 1,
    created_at: now,
  });
}

function lineOf(id: string, plan: string, mark: string): Line {
  return {
    id,
    store_product_id: mark,
    store_variant_id: mark,
    subscription_variant_id: null,
    product_title: mark,
    variant_title: null,
    sku: mark,
    selling_plan_id: plan,
    selling_plan_name: mark,
    entity_id: null,
    price: 2000,
    quantity: 1,
    selection_items: null,
    is_one_time: false,
    plan_shipping: 0,
    plan_discount: null,
  };
}

function discountOf(id: string, mark: string): Discount {
  return {
    id,
    status: "ACTIVE",
    discount_code: mark,
    title: mark,
    reduction: { type: "FIXED_AMOUNT", value: 100 },
    store_discount_id: mark,
    target_type: "ORDER",
    recurring_cycle_limit: null,
    cycles_used: 0,
    applied_at: now,
    exhausted_at: null,
    removed_at: null,
    created_at: now,
    updated_at: now,
  };
}
