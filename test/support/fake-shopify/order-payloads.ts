import { restAmount } from "./amounts.ts";
import { numberOf } from "./ids.ts";
import type { Fulfillment, Order } from "./records.ts";

/** GraphQL's financial status, which follows from the payments and refunds. */
export function financialStatusOf({ isPaid, cancelledAt, refunded, total }: Order): string {
  if (!isPaid) return cancelledAt ? "VOIDED" : "PENDING";
  if (refunded === 0) return "PAID";
  return refunded < total ? "PARTIALLY_REFUNDED" : "REFUNDED";
}

/** orders/…: an order as REST shows it, reduced to the fields in which orders differ. */
export function orderPayload(order: Order): Record<string, unknown> {
  const rest = (minor: number): string => restAmount(minor, order.currency);
  return {
    id: order.number,
    admin_graphql_api_id: order.id,
    name: order.name,
    order_number: Number(order.name.slice(1)),
    created_at: order.createdAt,
    cancelled_at: order.cancelledAt,
    currency: order.currency,
    financial_status: financialStatusOf(order).toLowerCase(),
    fulfillment_status: fulfillmentStatuses[order.fulfillmentStatus] ?? null,
    source_name: order.sourceName,
    tags: order.tags.join(", "),
    test: order.isTest,
    taxes_included: order.taxesIncluded,
    subtotal_price: rest(order.subtotal),
    total_discounts: rest(order.discounts),
    total_price: rest(order.total),
    total_tax: rest(order.tax),
    customer: customerPayload(order),
    line_items: order.lines.map((line) => ({
      id: line.number,
      admin_graphql_api_id: line.id,
      variant_id: numberOf(line.variantId),
      title: line.title,
      quantity: line.quantity,
      price: rest(line.price),
      total_discount: rest(line.price * line.quantity - line.total),
    })),
  };
}

/** fulfillments/…, which name the order by its number only. */
export function fulfillmentPayload(
  order: Order,
  { id, number, status, tracking, createdAt }: Fulfillment,
): Record<string, unknown> {
  return {
    id: number,
    admin_graphql_api_id: id,
    order_id: order.number,
    status: status.toLowerCase(),
    created_at: createdAt,
    tracking_company: tracking[0]?.company ?? null,
    tracking_number: tracking[0]?.number ?? null,
    tracking_numbers: tracking.flatMap((one) => one.number ?? []),
    tracking_url: tracking[0]?.url ?? null,
    tracking_urls: tracking.flatMap((one) => one.url ?? []),
  };
}

/** refunds/create, which names the order by its number only. */
export function refundPayload(
  order: Order,
  refund: { id: string; amount: number; at: string },
): Record<string, unknown> {
  return {
    id: numberOf(refund.id),
    admin_graphql_api_id: refund.id,
    order_id: order.number,
    created_at: refund.at,
    transactions: [
      {
        order_id: order.number,
        kind: "refund",
        status: "success",
        amount: restAmount(refund.amount, order.currency),
        currency: order.currency,
      },
    ],
  };
}

const fulfillmentStatuses: Partial<Record<Order["fulfillmentStatus"], string>> = {
  PARTIALLY_FULFILLED: "partial",
  FULFILLED: "fulfilled",
};

function customerPayload({ customer }: Order) {
  return (
    customer && {
      id: customer.number,
      admin_graphql_api_id: customer.id,
      email: customer.email,
      first_name: customer.firstName,
      last_name: customer.lastName,
      phone: customer.phone,
    }
  );
}
