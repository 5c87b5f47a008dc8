import type { Contract, ContractStatus, ContractTerms, UserError } from "./records.ts";
import type { FakeStore } from "./store.ts";
import { contractPayload, emit } from "./webhooks.ts";

type Answer = { contract: Contract | null; userErrors: UserError[] };

export function isTerminated({ status }: Contract): boolean {
  return status === "CANCELLED" || status === "EXPIRED";
}

/** A date that has passed in every time zone. */
export function isOver(date: string, now: string): boolean {
  return Date.parse(date) < Date.parse(now) - dayMs;
}

/** Changes a contract, which gives it a new revision and sends the app a webhook. */
export function revise(store: FakeStore, contract: Contract, changes: Partial<ContractTerms>): void {
  const before = contract.status;
  Object.assign(contract, changes, { revision: store.nextNumber("revision"), updatedAt: store.now() });
  emit(store, "subscription_contracts/update", contractPayload(contract));
  if (contract.status !== before)
    emit(store, `subscription_contracts/${topics[contract.status]}`, contractPayload(contract));
}

/** subscriptionContractPause and the other statuses: an ended contract cannot change, and the same status is no change. */
export function setStatus(store: FakeStore, id: string, status: ContractStatus): Answer {
  const contract = store.contracts.get(id);
  if (!contract) return refused("INVALID", "subscriptionContractId", "Subscription contract does not exist");
  if (isTerminated(contract))
    return refused(
      "CONTRACT_TERMINATED",
      "subscriptionContractId",
      "Subscription contract status cannot be changed once terminated",
    );
  if (contract.status !== status) revise(store, contract, { status });
  return { contract, userErrors: [] };
}

/** subscriptionContractSetNextBillingDate. */
export function setNextBillingDate(store: FakeStore, id: string, date: string): Answer {
  const contract = store.contracts.get(id);
  if (!contract) return refused("INVALID", "contractId", "Subscription contract does not exist");
  if (isTerminated(contract)) return refused("INVALID", "contractId", "Subscription contract is terminated");
  if (isOver(date, store.now())) return refused("INVALID", "date", "Next billing date is in the past");
  revise(store, contract, { nextBillingDate: date });
  return { contract, userErrors: [] };
}

function refused(code: string, field: string, message: string): Answer {
  return {
    contract: null,
    userErrors: [{ code, field: [field], message }],
  };
}

const dayMs = 86_400_000;
const topics = {
  ACTIVE: "activate",
  PAUSED: "pause",
  CANCELLED: "cancel",
  EXPIRED: "expire",
  FAILED: "fail",
} as const;
