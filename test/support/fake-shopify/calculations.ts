import { calculatedTerms } from "./calculated-terms.ts";
import type { CalculationInput } from "./calculation-inputs.ts";
import { isUnknown } from "./catalog.ts";
import { isTerminated, revise } from "./contract-changes.ts";
import { cadenceErrors, deliveryErrors } from "./contract-rules.ts";
import { type Refused, refused } from "./drafts.ts";
import { globalId } from "./ids.ts";
import type { Contract, ContractTerms } from "./records.ts";
import type { FakeStore } from "./store.ts";

export type Diagnostic = { code: string; message: string };

/** The result of a change that was not committed. */
export type Calculation = {
  id: string;
  contract: Contract;
  /** The contract's revision when the calculation was begun. */
  revision: number;
  terms: ContractTerms;
  errors: Diagnostic[];
  warnings: Diagnostic[];
  /** How many more reads find it pending. */
  pendingReads: number;
};

/** subscriptionContractUpdateCalculate: nothing of the contract changes. */
export function beginCalculation(
  store: FakeStore,
  contractId: string,
  input: CalculationInput,
): Refused | { calculation: Calculation } {
  const contract = store.contracts.get(contractId);
  if (!contract) return refused("INVALID", "contractId", "Subscription contract does not exist");
  if (isTerminated(contract)) return refused("INVALID", "contractId", "Subscription contract is terminated");
  const invalid = input.lines?.find(({ productVariantLine: { quantity } }) => quantity <= 0);
  if (invalid) return refused("INVALID", "lines", "Quantity must be greater than 0");
  const { next, dropsLines } = store.calculations;
  const terms = calculatedTerms(store, contract, dropsLines ? { ...input, lines: null } : input);
  const calculation: Calculation = {
    id: globalId("SubscriptionContractCalculation", crypto.randomUUID()),
    contract,
    revision: contract.revision,
    terms,
    errors: [...faultsOf(store, terms, input), ...(next.shift()?.errors ?? [])],
    warnings: store.calculations.warnings.splice(0),
    pendingReads: store.settings.calculatesAtRead,
  };
  store.calculations.all.set(calculation.id, calculation);
  return { calculation };
}

/** Every read of a pending calculation brings it nearer to its end. */
export function readCalculation(store: FakeStore, id: string): Calculation | undefined {
  const calculation = store.calculations.all.get(id);
  if (calculation && calculation.pendingReads > 0) calculation.pendingReads -= 1;
  return calculation;
}

/** subscriptionContractCalculationCommit: the whole calculation or nothing of it. */
export function commitCalculation(store: FakeStore, id: string): Refused | { contract: Contract } {
  const calculation = store.calculations.all.get(id);
  if (!calculation) return refused("CALCULATION_NOT_FOUND", "id", "The calculation could not be found");
  const { contract, revision, terms, pendingReads, errors } = calculation;
  if (pendingReads > 0 || errors.length > 0)
    return refused("NOT_READY_TO_COMMIT", "id", "The calculation is not in a succeeded state");
  if (revision !== contract.revision)
    return refused("STALE_CONTRACT", "id", "The contract was modified since the calculation was created");
  const usedOf = (discount: string): number =>
    contract.discounts.find((one) => one.id === discount)?.used ?? 0;
  const discounts = terms.discounts.map((discount) => ({ ...discount, used: usedOf(discount.id) }));
  revise(store, contract, { ...terms, discounts });
  return { contract };
}

/** Why the calculation fails, by the codes of SubscriptionContractCalculationDiagnosticCode. */
function faultsOf(store: FakeStore, terms: ContractTerms, input: CalculationInput): Diagnostic[] {
  const variants = terms.lines.map(({ variantId }) => variantId);
  const method = input.paymentMethod?.customerPaymentMethod;
  const isMethodUnknown = method !== undefined && (terms.method === null || terms.method.revokedAt !== null);
  return [
    ...variants
      .filter((variant) => isUnknown(store, variant))
      .map(() => ({ code: "MERCHANDISE_NOT_FOUND", message: "Product variant is invalid" })),
    ...(isMethodUnknown ? [{ code: "PAYMENT_METHOD_NOT_FOUND", message: "Payment method is invalid" }] : []),
    ...cadenceErrors(terms, []).map(({ message }) => ({ code: "INVALID", message })),
    ...deliveryErrors(store, { variants, method: terms.deliveryMethod }, []).map(({ message }) => ({
      code: "DELIVERY_METHOD_REQUIRED",
      message,
    })),
  ];
}
