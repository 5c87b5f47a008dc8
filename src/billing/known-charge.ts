import type { ChargeAnswer, KnownCharge } from "../store/port.ts";
import { snapshotOf } from "./snapshot.ts";
import type { BillingAttempt } from "./tables.ts";

type Identified = Pick<BillingAttempt, "store_key" | "store_reference" | "frozen">;

/** By what the store knows the charge of an attempt. */
export function knownChargeOf(attempt: Identified): KnownCharge {
  const { store_key: key, store_reference: reference } = attempt;
  return { key, store_contract_id: snapshotOf(attempt).store_contract_id, reference };
}

type Charged = Extract<ChargeAnswer, { outcome: "succeeded" | "succeeded_without_order" }>;

/** Whether the store says that it has charged, with an order to show or without. */
export function hasCharged(answer: ChargeAnswer | undefined): answer is Charged {
  return answer?.outcome === "succeeded" || answer?.outcome === "succeeded_without_order";
}
