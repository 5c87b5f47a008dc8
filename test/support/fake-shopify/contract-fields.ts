import { type AttemptInput, createAttempt, readAttempt } from "./attempts.ts";
import { connection, type Page } from "./connection.ts";
import { setNextBillingDate, setStatus } from "./contract-changes.ts";
import { createContract } from "./contracts.ts";
import { type CycleSelector, cycleNode, selectedCycle } from "./cycles.ts";
import { checkedId } from "./ids.ts";
import type { ContractInput } from "./inputs.ts";
import { attemptNode, contractNode } from "./nodes.ts";
import type { Contract, ContractStatus, UserError } from "./records.ts";
import type { FakeStore } from "./store.ts";

/** The mutations of contracts and their attempts, except those of drafts. */
export function contractFields(store: FakeStore) {
  const payload = ({ contract, userErrors }: { contract: Contract | null; userErrors: UserError[] }) => ({
    contract: contract && contractNode(store, contract),
    userErrors,
  });
  const sets =
    (status: ContractStatus) =>
    ({ subscriptionContractId }: { subscriptionContractId: string }) =>
      payload(setStatus(store, checked(subscriptionContractId), status));
  return {
    subscriptionContract: ({ id }: { id: string }) => {
      const contract = store.contracts.get(checked(id));
      return contract ? contractNode(store, contract) : null;
    },
    /** The contracts since an instant, or all, oldest first: the only queries that the adapter asks (schema `QueryRoot.subscriptionContracts`). */
    subscriptionContracts: ({
      query,
      sortKey,
      ...page
    }: Page & { query?: string | null; sortKey: string }) => {
      const [, since] = /^created_at:>='(.+)'$/.exec(query ?? "") ?? [];
      if ((query && since === undefined) || sortKey !== "CREATED_AT")
        throw new Error(`The fake store does not search contracts by ${query}, ${sortKey}`);
      const found = [...store.contracts.values()].filter(
        ({ createdAt }) => since === undefined || Date.parse(createdAt) >= Date.parse(since),
      );
      return connection(found, page, (contract) => contractNode(store, contract));
    },
    subscriptionBillingCycle: ({ billingCycleInput: { contractId, selector } }: CycleQuery) => {
      const contract = store.contracts.get(checked(contractId));
      if (!contract) return null;
      const index = selectedCycle(contract, selector, store.now());
      return typeof index === "number" ? cycleNode(contract, index) : null;
    },
    subscriptionContractAtomicCreate: ({ input }: { input: ContractInput }) =>
      payload(createContract(store, input)),
    subscriptionContractPause: sets("PAUSED"),
    subscriptionContractActivate: sets("ACTIVE"),
    subscriptionContractCancel: sets("CANCELLED"),
    subscriptionContractExpire: sets("EXPIRED"),
    subscriptionContractFail: sets("FAILED"),
    subscriptionContractSetNextBillingDate: ({ contractId, date }: { contractId: string; date: string }) =>
      payload(setNextBillingDate(store, checked(contractId), date)),
    subscriptionBillingAttempt: ({ id }: { id: string }) => {
      const attempt = store.attempts.find((one) => one.id === checkedId("SubscriptionBillingAttempt", id));
      return attempt ? attemptNode(store, readAttempt(store, attempt)) : null;
    },
    /** The attempts since an instant, which is the only query that the adapter asks. */
    subscriptionBillingAttempts: ({ query, ...page }: Page & { query: string }) => {
      const [, since] = /^created_at:>='(.+)'$/.exec(query) ?? [];
      if (since === undefined) throw new Error(`The fake store does not search by ${query}`);
      const found = store.attempts.filter(({ createdAt }) => Date.parse(createdAt) >= Date.parse(since));
      return connection(found, page, (attempt) => attemptNode(store, readAttempt(store, attempt)));
    },
    subscriptionBillingAttemptCreate: (args: {
      subscriptionContractId: string;
      subscriptionBillingAttemptInput: AttemptInput;
    }) => {
      const id = checked(args.subscriptionContractId);
      const { attempt, userErrors } = createAttempt(store, id, args.subscriptionBillingAttemptInput);
      return { subscriptionBillingAttempt: attempt && attemptNode(store, attempt), userErrors };
    },
  };
}

type CycleQuery = { billingCycleInput: { contractId: string; selector: CycleSelector } };

function checked(id: string): string {
  return checkedId("SubscriptionContract", id);
}
