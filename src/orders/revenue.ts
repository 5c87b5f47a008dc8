import type { Order } from "./tables.ts";

const paid: readonly Order["status"][] = ["PAID", "PARTIALLY_REFUNDED", "REFUNDED"];

/** What an order has earned, less refunds; nothing before it is paid, nor once it is cancelled. */
export const revenueOf = ({
  status,
  total,
  refunded_amount,
}: Pick<Order, "status" | "total" | "refunded_amount">): number =>
  paid.includes(status) ? total - refunded_amount : 0;

type Linked = Pick<Order, "status" | "total" | "refunded_amount"> & { subscriptionIds: string[] };

/** What an order counts in a subscription's total_revenue: only where it is of that one alone. */
export const revenueIn = (subscriptionId: string, { subscriptionIds, ...order }: Linked): number =>
  subscriptionIds.length === 1 && subscriptionIds[0] === subscriptionId ? revenueOf(order) : 0;
