import { newId } from "../../src/base/lib/ids.ts";
import type { Discount, Line } from "../../src/domain/subscriptions/lines/amounts.ts";
import { listed, type Merchant, profileOf, put, type SubscriptionRow, subscriptionOf } from "./records.ts";
import type { Json } from "./shops.ts";
import { path, shown } from "./subscriptions.ts";

/** A line of one unit, as a row holds it. */
export function lineWith(values: Partial<Line> = {}): Line {
  return {
    id: newId(),
    store_product_id: "p",
    store_variant_id: "v",
    subscription_variant_id: null,
    product_title: "Kibble",
    variant_title: null,
    sku: null,
    selling_plan_id: "plan",
    selling_plan_name: "Plan",
    entity_id: null,
    price: 1000,
    quantity: 1,
    selection_items: null,
    is_one_time: false,
    plan_shipping: 0,
    plan_discount: null,
    ...values,
  };
}

/** A percentage off the order, as a row holds it. */
export function discountWith(values: Partial<Discount> = {}): Discount {
  return {
    id: newId(),
    status: "ACTIVE",
    discount_code: null,
    title: "Thanks",
    reduction: { type: "PERCENTAGE", value: 1250 },
    store_discount_id: "sd",
    target_type: "ORDER",
    recurring_cycle_limit: null,
    cycles_used: 0,
    applied_at: now,
    exhausted_at: null,
    removed_at: null,
    created_at: now,
    updated_at: now,
    ...values,
  };
}

/** Stores a subscription of a new customer, and reads it in both representations. */
export async function storeAndRead(as: Merchant, values: Partial<SubscriptionRow> = {}) {
  const profile = profileOf(as.of, { first_name: "Ada" });
  const row = subscriptionOf(as.of, profile.id, values);
  await put("profiles", [profile]);
  await put("subscriptions", [row]);
  return { profile, row, ...(await readBoth(as, row.id, profile.id)) };
}

/** The two representations of a subscription: read alone, and in the list of its customer. */
export async function readBoth(
  as: Merchant,
  id: string,
  profile_id: string,
): Promise<{ single: Json; item: Json }> {
  return {
    single: await shown(as.admin, id),
    item: (await listed(as.admin, path, { profile_id })).data[0],
  };
}

const now = "2026-01-01T00:00:00.000Z";
