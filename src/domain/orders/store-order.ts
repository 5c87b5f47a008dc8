import type { SystemAction } from "../../base/event-types.ts";
import { diff, type FieldChange } from "../../base/lib/diff.ts";
import { toMajor } from "../../base/lib/money.ts";
import type { StoreOrder } from "../../stores/port.ts";
import { orderSearchText } from "./search.ts";
import { contentColumns, type Order } from "./tables.ts";

/** The columns of a store's order, except for its profile. */
export function columnsOf(order: StoreOrder) {
  return {
    ...storeColumns(order),
    order_type: order.order_type,
    is_checkout_order: order.is_checkout_order ? (1 as const) : (0 as const),
    has_subscription: order.has_subscription ? (1 as const) : (0 as const),
    store_order_id: order.store_order_id,
    currency_code: order.currency_code,
    subtotal: order.subtotal,
    discount_amount: order.discount_amount,
    order_created_at: order.created_at,
  };
}

/** The columns that change with the store's order. An order that was billed here keeps the amounts of its charge snapshot. */
export function applyStoreOrder(row: Order, order: StoreOrder, profileId: string | null): Partial<Order> {
  const { store_order_id: _id, ...columns } = columnsOf(order);
  const after =
    row.billing_attempt_id === null
      ? { ...columns, profile_id: row.profile_id ?? profileId }
      : storeColumns(order);
  return { ...after, search_text: orderSearchText({ ...row, ...after }) };
}

/** The events between two states of an order, the most important first. */
export function orderEvents(row: Order, after: Partial<Order>): [SystemAction, ...SystemAction[]] {
  const { status, fulfillment_status, return_status, refunded_amount } = { ...row, ...after };
  const events = [
    status !== row.status && status === "CANCELLED" && "order_cancelled",
    refunded_amount > row.refunded_amount && "order_refunded",
    return_status !== row.return_status && return_status === "RETURNED" && "order_returned",
    fulfillment_status !== row.fulfillment_status && fulfillment_status === "FULFILLED" && "order_fulfilled",
  ].filter((action) => action !== false) as SystemAction[];
  const [first = "order_updated", ...others] = events;
  return [first, ...others];
}

/** The changes of an order with the values that the API shows. */
export function orderChanges(row: Order, after: Partial<Order>): Record<string, FieldChange> {
  const readable = (field: string, value: unknown): unknown => {
    if (amounts.has(field)) return toMajor(value as number, row.currency_code);
    return flags.has(field) ? value === 1 : value;
  };
  return Object.fromEntries(
    Object.entries(diff(row, after))
      .filter(([field]) => !unshown.has(field))
      .map(([field, { from, to }]) => [field, { from: readable(field, from), to: readable(field, to) }]),
  );
}

const amounts = new Set(["subtotal", "discount_amount", "total", "refunded_amount"]);
/** The content is in the order itself: a charge adds it to an order that the store has announced before. */
const unshown = new Set<string>(["search_text", ...contentColumns]);
const flags = new Set(["is_checkout_order", "has_subscription"]);

/** The columns that only the store can change. */
function storeColumns(order: StoreOrder) {
  return {
    status: order.status,
    fulfillment_status: order.fulfillment_status,
    return_status: order.return_status,
    store_order_number: order.store_order_number,
    total: order.total,
    refunded_amount: order.refunded_amount,
    tracking_number: order.tracking_number,
    tracking_company: order.tracking_company,
    tracking_url: order.tracking_url,
  };
}
