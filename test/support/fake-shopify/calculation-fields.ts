import type { CalculationInput } from "./calculation-inputs.ts";
import { beginCalculation, type Calculation, commitCalculation, readCalculation } from "./calculations.ts";
import { checkedId } from "./ids.ts";
import type { FakeStore } from "./store.ts";

/** The operations by which contracts change where there are no drafts. */
export function calculationFields(store: FakeStore) {
  return {
    subscriptionContractCalculation: ({ id }: { id: string }) => {
      const calculation = readCalculation(store, checkedId(kind, id));
      return calculation ? calculationNode(calculation) : null;
    },
    subscriptionContractUpdateCalculate: (args: {
      contractId: string;
      contractUpdateInput: CalculationInput;
    }) => {
      const contractId = checkedId("SubscriptionContract", args.contractId);
      const begun = beginCalculation(store, contractId, args.contractUpdateInput);
      if ("userErrors" in begun) return { subscriptionContractCalculation: null, ...begun };
      return { subscriptionContractCalculation: calculationNode(begun.calculation), userErrors: [] };
    },
    subscriptionContractCalculationCommit: ({ id }: { id: string }) => {
      const committed = commitCalculation(store, checkedId(kind, id));
      return "userErrors" in committed ? committed : { userErrors: [] };
    },
  };
}

const kind = "SubscriptionContractCalculation";

function calculationNode({ id, pendingReads, errors, warnings }: Calculation) {
  if (pendingReads > 0) return { __typename: `${kind}Pending`, id };
  return errors.length > 0
    ? { __typename: `${kind}Failure`, id, errors }
    : { __typename: `${kind}Success`, id, warnings };
}
