import type { Order } from "./tables.ts";

/**
 * The revenue of an order that its store keeps, less its refunds: none before it is paid, and none once it is cancelled. One that is
 * cancelled here keeps its revenue until it is paid back (domain/own-orders).
 */
export function revenueOf({
  status,
  total,
  refunded_amount,
}: Pick<Order, "status" | "total" | "refunded_amount">): number {
  return paid.includes(status) ? total - refunded_amount : 0;
}

/** The share of an order in a subscription's total_revenue: all of it if it belongs to that subscription alone, else none. */
export function revenueIn(subscriptionId: string, { subscriptionIds, ...order }: Linked): number {
  return subscriptionIds.length === 1 && subscriptionIds[0] === subscriptionId ? revenueOf(order) : 0;
}

const paid: readonly Order["status"][] = ["PAID", "PARTIALLY_REFUNDED", "REFUNDED"];

type Linked = Pick<Order, "status" | "total" | "refunded_amount"> & { subscriptionIds: string[] };
