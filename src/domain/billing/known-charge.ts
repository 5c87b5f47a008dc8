import type { ChargeAnswer, KnownCharge } from "../../stores/port.ts";
import { snapshotOf } from "./snapshot.ts";
import type { BillingAttempt } from "./tables.ts";

type Identified = Pick<
  BillingAttempt,
  "id" | "store_key" | "store_reference" | "noted_reference" | "snapshot"
>;

/** By what the store knows the charge of an attempt. */
export function knownChargeOf(attempt: Identified): KnownCharge {
  const { id: attempt_id, store_key: key, store_reference, noted_reference } = attempt;
  const { store_contract_id } = snapshotOf(attempt);
  return { key, attempt_id, store_contract_id, reference: store_reference ?? noted_reference };
}

export type Charged = Extract<ChargeAnswer, { outcome: "succeeded" | "succeeded_without_order" }>;

type Sent = Pick<BillingAttempt, "store_reference" | "first_sent_at">;

/**
 * Whether an attempt carries the charge of an earlier one at its cycle, which its customer has confirmed late. Its own key was never
 * sent, and never is, because a claim sends no attempt that has a reference.
 */
export function carriesEarlierCharge({ store_reference, first_sent_at }: Sent): boolean {
  return store_reference !== null && first_sent_at === null;
}

/** Whether, as far as its row says, the store has never had to do with an attempt. */
export function isUnsent({ store_reference, first_sent_at }: Sent): boolean {
  return store_reference === null && first_sent_at === null;
}

/** Whether the store says that it has charged, with an order to show or without. */
export function hasCharged(answer: ChargeAnswer | undefined): answer is Charged {
  return answer?.outcome === "succeeded" || answer?.outcome === "succeeded_without_order";
}
