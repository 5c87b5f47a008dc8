import { type Instant, later } from "../../base/lib/time/dates.ts";
import { hourMs } from "../../base/lib/time/durations.ts";
import { isSameStoreId } from "../../stores/ids.ts";
import type { PaymentMethod } from "../payment-methods/tables.ts";
import type { ContractSync } from "../subscriptions/tables.ts";

/** The facts about the payment method that a subscription and its contract have. */
type MethodSync = Pick<ContractSync, "agreed_method" | "former_method" | "method_changed_at">;
type Method = Pick<PaymentMethod, "store_payment_method_id" | "status">;

/** None where the customer has revoked the payment method: the store may use another one instead, which is to stay. */
export function payableMethodId(method: Method | undefined): string | null {
  return method && method.status !== "REVOKED" ? method.store_payment_method_id : null;
}

/**
 * The payment methods that a contract may have from this service: any other was chosen at the store, and stays. Null where
 * the subscription's own was changed since both agreed: it replaces whatever the contract has.
 */
export function ownMethodIds(
  method: Method | undefined,
  { agreed_method, former_method, method_changed_at }: MethodSync,
  realNow: Instant,
): string[] | null {
  const payable = payableMethodId(method);
  if (
    payable !== null &&
    (agreed_method === null || !isSameStoreId("CustomerPaymentMethod", agreed_method, payable))
  )
    return null;
  const mayBeLate = method_changed_at !== null && later(method_changed_at, lateMs) > realNow;
  return [method?.store_payment_method_id, mayBeLate ? former_method : null].filter((id) => id != null);
}

/** The time in which a request that was given up may still arrive at the store. */
const lateMs = hourMs;
