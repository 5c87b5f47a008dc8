import { expect } from "vitest";
import type { RequestOptions } from "./client.ts";
import { listed, type Merchant, type OrderRow, orderOf } from "./records.ts";

export const ordersPath = "/api/subscriptions/orders";

/** Orders under one-letter names, which are their store order numbers. */
export function namedOrders(of: Merchant["of"], rows: Record<string, Partial<OrderRow>>): OrderRow[] {
  return Object.entries(rows).map(([store_order_number, values], nth) =>
    orderOf(of, {
      store_order_number,
      created_at: `2026-01-${String(nth + 1).padStart(2, "0")}T00:00:00.000Z`,
      ...values,
    }),
  );
}

/** The names of the orders that a list shows, in its order. */
export async function orderNames(as: Merchant, query: RequestOptions["query"]): Promise<string> {
  const { data, meta } = await listed(as.admin, ordersPath, query);
  expect(meta.total, "total").toBe(data.length);
  return data.map(({ store_order_number }) => store_order_number).join("");
}
