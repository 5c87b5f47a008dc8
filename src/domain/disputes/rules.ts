import type { Account } from "../../base/accounts/tables.ts";
import type { StoreDispute } from "../../stores/port/disputes.ts";
import type { OrderDispute } from "../orders/tables.ts";

/** Whether the bank, or whoever asks, has still to decide. */
export function isOpenDispute({ status }: Pick<StoreDispute, "status">): boolean {
  return status === "NEEDS_RESPONSE" || status === "UNDER_REVIEW";
}

type Before = Pick<OrderDispute, "status" | "is_inquiry" | "is_blocking">;

/**
 * Whether a dispute keeps its subscription from being billed, given how it was known before. It begins to with the account's setting as it
 * opens, opens again, or becomes a chargeback after an inquiry; it stops once it is over without a loss, or a person says so, and does not
 * begin again by being lost.
 */
export function isBlocking(
  { on_dispute }: Pick<Account, "on_dispute">,
  before: Before | undefined,
  now: Pick<StoreDispute, "status" | "is_inquiry">,
): boolean {
  const isLost = now.status === "LOST";
  if (!isOpenDispute(now) && !isLost) return false;
  if (before && (isLost || !isNewIn(before, now))) return before.is_blocking === 1;
  return on_dispute === "block";
}

/** A dispute that is open again, or takes money since it last was an inquiry, is a new one to its subscription. */
function isNewIn(before: Before, { is_inquiry }: Pick<StoreDispute, "is_inquiry">): boolean {
  return !isOpenDispute(before) || (before.is_inquiry === 1 && !is_inquiry);
}
