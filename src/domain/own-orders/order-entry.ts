import type { SystemAction } from "../../base/event-types.ts";
import type { RecordChange } from "../../kit/journal/write.ts";
import { orderSubject } from "../orders/actions.ts";
import { orderChanges } from "../orders/store-order.ts";
import type { Order } from "../orders/tables.ts";
import type { OwnOrder } from "./queries.ts";

/** The change of an order, with its entry. */
export function orderChange(
  { row, subscriptionIds }: OwnOrder,
  action: SystemAction,
  after: Partial<Order>,
  metadata: Record<string, unknown> = {},
): RecordChange {
  return {
    action,
    subject: orderSubject(row, subscriptionIds),
    changes: orderChanges(row, after),
    metadata: { store_order_id: row.store_order_id, ...metadata },
    after,
  };
}
