import { DomainError } from "../../base/errors.ts";
import type { Ctx } from "../../kit/context.ts";
import type { Order } from "../orders/tables.ts";

/** Throws INVALID_STATE for an order that its store keeps: whoever ships, cancels or refunds it does so there. */
export function requireKeptHere({ store, account }: Ctx, row: Order, operation: string): void {
  if (store.keepsOrders !== true || isOnlyHere(row)) return;
  const name = account.store.charAt(0).toUpperCase() + account.store.slice(1);
  throw new DomainError(
    "INVALID_STATE",
    `The order is kept by the store, ${name}, so that it cannot be ${operation} here: do that at ${name}`,
  );
}

/** Whether no store has the order: an earlier one has paid for the delivery, or another system has made it. */
function isOnlyHere({ is_prepaid, external_source, store_order_id }: Order): boolean {
  return is_prepaid === 1 || (external_source !== null && store_order_id.startsWith(`${external_source}/`));
}
