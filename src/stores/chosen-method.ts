import { isSameStoreId } from "./ids.ts";

/**
 * Whether somebody has chosen the contract's payment method at the store: it is none of those that it may have from this service, which
 * are null where the subscription's own replaces whatever the contract has.
 */
export function isChosenAtStore(current: string | null, own: string[] | null): current is string {
  return (
    current !== null && own !== null && !own.some((id) => isSameStoreId("CustomerPaymentMethod", id, current))
  );
}
