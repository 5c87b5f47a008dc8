import { toMajor } from "../../base/lib/money.ts";
import { readJson } from "../../kit/http/json-text.ts";
import { reductionValue } from "../selling-plans/present.ts";
import {
  calendarOf,
  datesBySchedule,
  dayOfSingleMove,
  deliveriesOwed,
  ownDay,
} from "../subscriptions/dates/index.ts";
import { calculateAmounts, type Discount, type Line } from "../subscriptions/lines/amounts.ts";
import type { SubscriptionView } from "../subscriptions/queries.ts";
import { customAttributesOf, deliveryAddressOf, discountsOf, linesOf } from "../subscriptions/row-codec.ts";

/** The columns of a subscription in CSV, which an import takes: those of the subscription, then those of one of its lines. */
export const subscriptionColumns = [
  ...["subscription_ref", "email", "first_name", "last_name", "phone_number", "store_customer_id"],
  ...["store_payment_method_id", "status", "paused_at", "pause_until", "pause_reason", "billing_interval"],
  ...["billing_interval_count", "delivery_interval", "delivery_interval_count", "next_billing_date"],
  ...[
    "next_delivery_date",
    "scheduled_delivery_date",
    "no_charge_before",
    "anchor_date",
    "anchor_day",
    "cycles_billed",
    "min_cycles",
    "max_cycles",
    "ends_on",
    "ends_after_cycle",
    "prepaid_owed",
  ],
  ...["shipping_amount", "discounts", "delivery_slot_id", "delivery_instructions", "address_first_name"],
  ...["address_last_name", "company", "address1", "address2", "city", "region", "province_code"],
  ...["postal_code", "country", "country_code", "address_phone", "entity_ref", "entity_type", "entity_name"],
  ...[
    "entity_label",
    "created_at",
    "cancelled_at",
    "cancellation_reason",
    "disputed_at",
    "store_origin_order_id",
  ],
  ...["last_payment_reminder_sent_at", "last_payment_reminder_billing_date", "note", "custom_attributes"],
  ...["currency_code", "expected_total"],
  ...["selling_plan_id", "selling_plan_name", "store_product_id", "store_variant_id", "product_title"],
  ...["variant_title", "sku", "subscription_variant_id", "quantity", "price", "price_changes"],
  ...["plan_discount_type", "plan_discount_value", "plan_shipping_amount", "is_one_time", "selection_items"],
] as const;

type Values = Record<string, unknown>;

/** The lines of a subscription in CSV: one for each of its products. */
export function subscriptionLines(view: SubscriptionView): Values[] {
  const own = valuesOfSubscription(view);
  return linesOf(view.row).map((line) => ({
    ...own,
    ...valuesOfLine(line, view.row.currency_code),
    selling_plan_id: line.selling_plan_id,
    selling_plan_name: line.selling_plan_name,
    store_product_id: line.store_product_id,
    store_variant_id: line.store_variant_id,
    product_title: line.product_title,
    variant_title: line.variant_title,
    sku: line.sku,
    subscription_variant_id: line.subscription_variant_id,
    quantity: line.quantity,
    price: toMajor(line.price, view.row.currency_code),
    is_one_time: line.is_one_time,
    selection_items: itemsOf(line, view.row.currency_code),
  }));
}

/** The values of those columns that a subscription as the API answers it does not have, or has otherwise, for a move by JSON lines. */
export function importValues(view: SubscriptionView): Values {
  const own = valuesOfSubscription(view);
  return {
    ...Object.fromEntries(importColumns.map((column) => [column, own[column] ?? null])),
    lines: linesOf(view.row).map((line) => ({
      id: line.id,
      ...valuesOfLine(line, view.row.currency_code),
    })),
  };
}

const importColumns = [
  ...["store_payment_method_id", "anchor_date", "anchor_day", "next_billing_date", "next_delivery_date"],
  ...["scheduled_delivery_date", "min_cycles", "max_cycles", "prepaid_owed", "discounts", "disputed_at"],
  "expected_total",
  ...["last_payment_reminder_sent_at", "last_payment_reminder_billing_date"],
];

/** The terms of a line that the API does not show: those of its plan when it was added, and later prices that were promised. */
function valuesOfLine({ plan_discount, plan_shipping, price_changes }: Line, currency: string): Values {
  return {
    plan_discount_type: plan_discount?.type ?? null,
    plan_discount_value: plan_discount && reductionValue(plan_discount.type, plan_discount.value, currency),
    plan_shipping_amount: toMajor(plan_shipping, currency),
    price_changes:
      price_changes?.map(({ in_cycles, price }) => ({ in_cycles, price: toMajor(price, currency) })) ?? null,
  };
}

function itemsOf({ selection_items: items }: Line, currency: string) {
  return items?.map(({ price, ...item }) => ({ ...item, price: toMajor(price, currency) })) ?? null;
}

function valuesOfSubscription(view: SubscriptionView): Values {
  const { row, method } = view;
  const currency = row.currency_code;
  const [lines, discounts] = [linesOf(row), discountsOf(row)];
  const attributes = customAttributesOf(row);
  const dates = datesBySchedule(row, calendarOf(view));
  const planned = { ...row, ...dates };
  return {
    subscription_ref: row.id,
    store_payment_method_id: method?.store_payment_method_id,
    status: statusOf(view),
    paused_at: row.paused_at,
    pause_until: row.pause_until,
    pause_reason: row.pause_reason,
    billing_interval: row.billing_interval,
    billing_interval_count: row.billing_interval_count,
    delivery_interval: row.delivery_interval,
    delivery_interval_count: row.delivery_interval_count,
    next_billing_date: dates.next_billing_date,
    next_delivery_date: dates.next_delivery_date,
    scheduled_delivery_date: dayOfSingleMove(planned, view.slot) && ownDay(planned, view.slot),
    no_charge_before: row.no_charge_before,
    anchor_date: row.anchor_date,
    anchor_day: row.anchor_day,
    cycles_billed: row.current_billing_cycle - 1,
    min_cycles: row.min_cycles,
    max_cycles: row.max_cycles,
    ends_on: row.ends_on,
    ends_after_cycle: row.ends_after_cycle,
    prepaid_owed: deliveriesOwed(row),
    shipping_amount: toMajor(row.shipping_amount, currency),
    discounts: discounts.length === 0 ? null : discounts.map((one) => valuesOfDiscount(one, lines, currency)),
    delivery_slot_id: row.delivery_slot_id,
    delivery_instructions: row.delivery_instructions,
    ...valuesOfCustomer(view),
    ...valuesOfAddress(view),
    ...valuesOfEntity(view),
    created_at: row.created_at,
    cancelled_at: row.cancelled_at,
    cancellation_reason: row.cancellation_reason,
    disputed_at: row.disputed_at,
    store_origin_order_id: row.store_origin_order_id,
    last_payment_reminder_sent_at: row.last_payment_reminder_sent_at,
    last_payment_reminder_billing_date: row.last_payment_reminder_billing_date,
    note: row.note,
    custom_attributes: attributes && JSON.stringify(attributes),
    currency_code: currency,
    expected_total: toMajor(
      calculateAmounts(lines, discounts, row.shipping_amount, row.tax_amount).total,
      currency,
    ),
  };
}

/** Dunning is not moved: a payment that is owed is past due. */
function statusOf({ row }: SubscriptionView) {
  return row.status === "PAYMENT_FAILED" || row.dunning_episode_id !== null ? "PAST_DUE" : row.status;
}

function valuesOfCustomer({ profile }: SubscriptionView): Values {
  const { email, first_name, last_name, phone_number, store_customer_id } = readJson(profile);
  return { email, first_name, last_name, phone_number, store_customer_id };
}

function valuesOfAddress({ row }: SubscriptionView): Values {
  const address = deliveryAddressOf(row);
  return {
    address_first_name: address?.first_name,
    address_last_name: address?.last_name,
    company: address?.company,
    address1: address?.address1,
    address2: address?.address2,
    city: address?.city,
    region: address?.province,
    province_code: address?.province_code,
    postal_code: address?.zip,
    country: address?.country,
    country_code: address?.country_code,
    address_phone: address?.phone,
  };
}

function valuesOfEntity({ row, entity }: SubscriptionView): Values {
  const { entity_label } = row;
  const its = entity && readJson(entity);
  return {
    entity_ref: its?.id,
    entity_type: its?.entity_type,
    entity_name: its?.name,
    entity_label,
  };
}

/** A discount with how far it has got. The lines that it is for are numbered from 0, in the order of the rows. */
function valuesOfDiscount(discount: Discount, lines: Line[], currency: string): Values {
  const { id, reduction, line_ids, store_discount_id } = discount;
  const numbers = line_ids?.map((line) => lines.findIndex((one) => one.id === line)).filter((n) => n >= 0);
  return {
    title: discount.title,
    status: discount.status,
    value_type: reduction.type,
    value: reductionValue(reduction.type, reduction.value, currency),
    max_amount: discount.max_amount === undefined ? null : toMajor(discount.max_amount, currency),
    target_type: discount.target_type,
    ...(numbers ? { lines: numbers } : {}),
    discount_code: discount.discount_code,
    ...(store_discount_id === id ? {} : { store_discount_id }),
    recurring_cycle_limit: discount.recurring_cycle_limit,
    cycles_used: discount.cycles_used,
    applied_at: discount.applied_at,
    exhausted_at: discount.exhausted_at,
    removed_at: discount.removed_at,
    created_at: discount.created_at,
    updated_at: discount.updated_at,
  };
}
