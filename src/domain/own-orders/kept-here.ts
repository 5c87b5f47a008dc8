import type { Account } from "../../base/accounts/tables.ts";
import { DomainError } from "../../base/errors.ts";
import type { Ctx } from "../../kit/context.ts";
import { traitsOf } from "../../stores/platforms.ts";
import type { Order } from "../orders/tables.ts";

/** Throws INVALID_STATE for an order that its store keeps: whoever ships, cancels or refunds it does so there. */
export function requireKeptHere({ account }: Ctx, row: Order, operation: string): void {
  if (!isKeptByStore(account, row)) return;
  const name = nameOfStore(account);
  throw new DomainError(
    "INVALID_STATE",
    `The order is kept by the store, ${name}, so it cannot be ${operation} here: do that at ${name}`,
  );
}

type Origin = Pick<Order, "external_source" | "store_order_id"> & { is_prepaid: number | boolean };

/** Whether the account's store keeps an order: it alone ships, cancels and refunds it. */
export function isKeptByStore(account: Pick<Account, "store">, order: Origin): boolean {
  return traitsOf(account).keepsOrders && !isOnlyHere(order);
}

/** Whether no store has the order: an earlier one has paid for the delivery, or another system has made it. */
function isOnlyHere({ is_prepaid, external_source, store_order_id }: Origin): boolean {
  return (
    Boolean(is_prepaid) || (external_source !== null && store_order_id.startsWith(`${external_source}/`))
  );
}

export function nameOfStore({ store }: Pick<Account, "store">): string {
  return store.charAt(0).toUpperCase() + store.slice(1);
}
