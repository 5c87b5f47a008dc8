import { toMajor } from "../../base/lib/money.ts";
import { reductionValue } from "../selling-plans/present.ts";
import {
  type Amounts,
  calculateAmounts,
  type Discount,
  type Line,
  recurringLines,
  shippingDiscount,
} from "../subscriptions/amounts.ts";
import type { SubscriptionView } from "../subscriptions/queries.ts";
import { customAttributesOf, deliveryAddressOf, discountsOf, linesOf } from "../subscriptions/row-codec.ts";

/** The columns of a subscription in CSV, which an import takes: those of the subscription, then those of one of its lines. */
export const subscriptionColumns = [
  ...["subscription_ref", "email", "first_name", "last_name", "phone_number", "store_customer_id"],
  ...["store_payment_method_id", "status", "pause_until", "billing_interval", "billing_interval_count"],
  ...[
    "delivery_interval",
    "delivery_interval_count",
    "next_billing_date",
    "next_delivery_date",
    "anchor_date",
  ],
  ...["cycles_billed", "min_cycles", "max_cycles", "prepaid_owed", "shipping_amount", "delivery_slot_id"],
  ...["delivery_instructions", "address_first_name", "address_last_name", "address1", "address2", "city"],
  ...["region", "postal_code", "country", "country_code", "address_phone", "entity_ref", "entity_type"],
  ...["entity_name", "discount_type", "discount_value", "discount_cycles_left", "created_at", "cancelled_at"],
  ...["cancellation_reason", "note", "custom_attributes", "expected_total"],
  ...["selling_plan_id", "selling_plan_name", "store_product_id", "store_variant_id", "product_title"],
  ...["variant_title", "sku", "quantity", "price"],
] as const;

type Values = Record<string, unknown>;

/**
 * The lines of a subscription in CSV: one for each product that it delivers again and again. What is in the next order only is left out, as
 * an import would deliver it for ever.
 */
export function subscriptionLines(view: SubscriptionView): Values[] {
  const { row } = view;
  const currency = row.currency_code;
  const recurring = recurringLines(linesOf(row));
  const priced = calculateAmounts(recurring, [], 0).lines;
  const own = valuesOfSubscription(view, recurring);
  return recurring.flatMap((line, nth) =>
    chargedPrices(line, priced[nth]!).map(({ quantity, price }) => ({
      ...own,
      selling_plan_id: line.selling_plan_id,
      selling_plan_name: line.selling_plan_name,
      store_product_id: line.store_product_id,
      store_variant_id: line.store_variant_id,
      product_title: line.product_title,
      variant_title: line.variant_title,
      sku: line.sku,
      quantity,
      price: toMajor(price, currency),
    })),
  );
}

/**
 * The values of those columns that a subscription as the API answers it does not have, or has otherwise, for a move by JSON lines. A line may
 * have several prices.
 */
export function importValues(view: SubscriptionView): Values {
  const { row } = view;
  const recurring = recurringLines(linesOf(row));
  const priced = calculateAmounts(recurring, [], 0).lines;
  const own = valuesOfSubscription(view, recurring);
  return {
    ...Object.fromEntries(importColumns.map((column) => [column, own[column] ?? null])),
    lines: recurring.flatMap((line, nth) =>
      chargedPrices(line, priced[nth]!).map(({ quantity, price }) => ({
        ...{ id: line.id, selling_plan_name: line.selling_plan_name, quantity },
        price: toMajor(price, row.currency_code),
      })),
    ),
  };
}

const importColumns = [
  ...["store_payment_method_id", "anchor_date", "min_cycles", "max_cycles", "prepaid_owed"],
  ...["shipping_amount", "discount_type", "discount_value", "discount_cycles_left", "expected_total"],
];

/**
 * The prices that a line is charged at, its plan's discount taken off: an import charges the price that it is given. Where the pieces cannot
 * all have one price, as 8.99 for three, some of them cost a minor unit more.
 */
export function chargedPrices(
  { quantity }: Pick<Line, "quantity">,
  { line_total, discount_amount }: Pick<Amounts["lines"][number], "line_total" | "discount_amount">,
): { quantity: number; price: number }[] {
  const charged = line_total - discount_amount;
  const price = Math.floor(charged / quantity);
  const dearer = charged - price * quantity;
  const all = [
    { quantity: quantity - dearer, price },
    { quantity: dearer, price: price + 1 },
  ];
  return all.filter((some) => some.quantity > 0);
}

function valuesOfSubscription(view: SubscriptionView, recurring: Line[]): Values {
  const { row, method } = view;
  const currency = row.currency_code;
  const discounts = discountsOf(row);
  const attributes = customAttributesOf(row);
  return {
    subscription_ref: row.id,
    store_payment_method_id: method?.store_payment_method_id,
    status: statusOf(view),
    pause_until: row.pause_until,
    billing_interval: row.billing_interval,
    billing_interval_count: row.billing_interval_count,
    delivery_interval: row.delivery_interval,
    delivery_interval_count: row.delivery_interval_count,
    next_billing_date: row.next_billing_date,
    next_delivery_date: row.next_delivery_date,
    anchor_date: row.anchor_date,
    cycles_billed: row.current_billing_cycle - 1,
    min_cycles: row.min_cycles,
    max_cycles: row.max_cycles,
    prepaid_owed: row.next_billed_index - row.next_index,
    shipping_amount: toMajor(chargedShipping(row.shipping_amount, discounts), currency),
    delivery_slot_id: row.delivery_slot_id,
    delivery_instructions: row.delivery_instructions,
    ...valuesOfCustomer(view),
    ...valuesOfAddress(view),
    ...valuesOfEntity(view),
    ...valuesOfDiscount(discounts, currency),
    created_at: row.created_at,
    cancelled_at: row.cancelled_at,
    cancellation_reason: row.cancellation_reason,
    note: row.note,
    custom_attributes: attributes && JSON.stringify(attributes),
    expected_total: toMajor(
      calculateAmounts(recurring, discounts, row.shipping_amount, row.tax_amount).total,
      currency,
    ),
  };
}

/** An import knows four states. What has failed to be paid is past due; what has expired is over. */
function statusOf({ row }: SubscriptionView): "ACTIVE" | "PAUSED" | "CANCELLED" | "PAST_DUE" {
  if (row.status === "EXPIRED") return "CANCELLED";
  if (row.status === "PAYMENT_FAILED" || row.dunning_episode_id !== null) return "PAST_DUE";
  return row.status;
}

function valuesOfCustomer({ profile }: SubscriptionView): Values {
  const { email, first_name, last_name, phone_number, store_customer_id } = profile;
  return { email, first_name, last_name, phone_number, store_customer_id };
}

function valuesOfAddress({ row }: SubscriptionView): Values {
  const address = deliveryAddressOf(row);
  return {
    address_first_name: address?.first_name,
    address_last_name: address?.last_name,
    address1: address?.address1,
    address2: address?.address2,
    city: address?.city,
    region: address?.province,
    postal_code: address?.zip,
    country: address?.country,
    country_code: address?.country_code,
    address_phone: address?.phone,
  };
}

function valuesOfEntity({ entity }: SubscriptionView): Values {
  return { entity_ref: entity?.id, entity_type: entity?.entity_type, entity_name: entity?.name };
}

/**
 * The first discount that is for all goods; a row has room for one. Where there are more, the total that is expected is still that of all
 * of them, and the import's check names the difference.
 */
function valuesOfDiscount(discounts: Discount[], currency: string): Values {
  const discount = discounts.find(
    ({ status, target_type, line_ids }) =>
      status === "ACTIVE" && target_type !== "SHIPPING_LINE" && line_ids === undefined,
  );
  if (!discount) return {};
  const { reduction, recurring_cycle_limit: limit, cycles_used } = discount;
  return {
    discount_type: reduction.type,
    discount_value: reductionValue(reduction.type, reduction.value, currency),
    discount_cycles_left: limit === null ? null : limit - cycles_used,
  };
}

/** The shipping amount less the discounts on it that stay. One that ends is left out: a row has room for one discount, and that is of goods. */
function chargedShipping(shipping: number, discounts: Discount[]): number {
  return (
    shipping -
    shippingDiscount(
      discounts.filter(({ recurring_cycle_limit }) => recurring_cycle_limit === null),
      shipping,
    )
  );
}
