/** Why a payment has failed, as far as a customer can do something with it. */
const declineReasons = ["funds", "expired", "removed", "unconfirmed", "declined", "shop", "stock"] as const;
export type DeclineReason = (typeof declineReasons)[number];

/**
 * The reason behind a store's error code. While billing waits for the shop (`isWaiting`), a code that says nothing to a customer is
 * no fault of theirs.
 */
export function declineReasonOf(code: string | null, isWaiting: boolean): DeclineReason {
  return reasons.get(code ?? "") ?? (isWaiting ? "shop" : "declined");
}

/** A Map has no inherited keys, and a store may send any text as a code. */
const reasons = new Map<string, DeclineReason>([
  ["insufficient_funds", "funds"],
  ["expired_card", "expired"],
  ["expired_payment_method", "expired"],
  ["payment_method_revoked", "removed"],
  ["payment_method_not_found", "removed"],
  ["resource_missing", "removed"],
  ["authentication_expired", "unconfirmed"],
  ["authentication_failed", "unconfirmed"],
  ["authentication_required", "unconfirmed"],
  ["confirmation_rejected", "unconfirmed"],
  ["expired_buyer_action", "unconfirmed"],
  ["insufficient_inventory", "stock"],
  ["inventory_allocations_not_found", "stock"],
]);
