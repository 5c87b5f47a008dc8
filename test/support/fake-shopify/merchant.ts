import { revise, setStatus } from "./contract-changes.ts";
import { cycleNode } from "./cycles.ts";
import type { ContractStatus, ContractTerms, Customer } from "./records.ts";
import { contractOf, customerOf, type FakeStore } from "./store.ts";
import { emit } from "./webhooks.ts";

/** A merchant's actions on contracts in the Shopify admin; each sends the app a webhook. */
export function merchantOf(store: FakeStore) {
  const sets =
    (status: ContractStatus) =>
    (contract: string | number): void => {
      const [error] = setStatus(store, contractOf(store, contract).id, status).userErrors;
      if (error) throw new Error(error.message);
    };
  /** The payload is that of api/webhooks, `subscription_billing_cycles/skip`. */
  const skips =
    (skip: boolean) =>
    (number: string | number, index: number): void => {
      const contract = contractOf(store, number);
      contract.cycleEdits.set(index, { ...contract.cycleEdits.get(index), skip });
      const cycle = cycleNode(contract, index);
      emit(store, `subscription_billing_cycles/${skip ? "skip" : "unskip"}`, {
        subscription_contract_id: contract.number,
        cycle_start_at: cycle.cycleStartAt,
        cycle_end_at: cycle.cycleEndAt,
        cycle_index: index,
        contract_edit: null,
        billing_attempt_expected_date: cycle.billingAttemptExpectedDate,
        skipped: cycle.skipped,
        edited: true,
      });
    };
  return {
    /** Skips a billing cycle, counted from 1 since the contract's creation, and takes that back. */
    skipCycle: skips(true),
    unskipCycle: skips(false),
    /** Changes a customer's record. */
    editCustomer(
      id: string,
      changes: Partial<Pick<Customer, "email" | "firstName" | "lastName" | "phone">>,
    ): void {
      const customer = Object.assign(customerOf(store, id), changes);
      emit(store, "customers/update", {
        id: customer.number,
        admin_graphql_api_id: id,
        updated_at: store.now(),
      });
    },
    /** Makes one customer of two: contracts and payment methods of the one that goes are the other's then. */
    mergeCustomers(keptId: string, goneId: string): void {
      const [kept, gone] = [customerOf(store, keptId), customerOf(store, goneId)];
      for (const record of [...store.contracts.values(), ...store.methods.values()])
        if (record.customer === gone) record.customer = kept;
      store.customers.delete(goneId);
      emit(store, "customers/merge", {
        admin_graphql_api_customer_kept_id: keptId,
        admin_graphql_api_customer_deleted_id: goneId,
        admin_graphql_api_job_id: null,
        status: "completed",
        errors: [],
      });
    },
    pause: sets("PAUSED"),
    activate: sets("ACTIVE"),
    cancel: sets("CANCELLED"),
    edit: (contract: string | number, changes: Partial<ContractTerms>): void =>
      revise(store, contractOf(store, contract), changes),
  };
}
