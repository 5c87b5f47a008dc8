import { searchTextOf } from "../../base/lib/text.ts";
import type { Order } from "./tables.ts";

type Searched = "store_order_id" | "store_order_number" | "external_order_number" | "tracking_number";

/** The text that `search` looks through. */
export function orderSearchText(order: Partial<Pick<Order, Searched>>): string {
  return searchTextOf([
    order.store_order_id ?? null,
    order.store_order_number ?? null,
    order.external_order_number ?? null,
    order.tracking_number ?? null,
  ]);
}
