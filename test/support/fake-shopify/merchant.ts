import { revise, setStatus } from "./contract-changes.ts";
import type { ContractStatus, ContractTerms } from "./records.ts";
import { contractOf, type FakeStore } from "./store.ts";

/** A merchant's actions on contracts in the Shopify admin; each sends the app a webhook. */
export const merchantOf = (store: FakeStore) => {
  const sets =
    (status: ContractStatus) =>
    (contract: string | number): void => {
      const [error] = setStatus(store, contractOf(store, contract).id, status).userErrors;
      if (error) throw new Error(error.message);
    };
  return {
    pause: sets("PAUSED"),
    activate: sets("ACTIVE"),
    cancel: sets("CANCELLED"),
    edit: (contract: string | number, changes: Partial<ContractTerms>): void =>
      revise(store, contractOf(store, contract), changes),
  };
};
