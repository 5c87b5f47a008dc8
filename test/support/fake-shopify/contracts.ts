import { minorOf } from "./amounts.ts";
import { type ContractInput, contractErrors } from "./contract-rules.ts";
import type { Contract, ContractLine, LineDiscount, UserError } from "./records.ts";
import { type FakeStore, globalId, nextRefusal } from "./store.ts";
import { contractPayload, emit } from "./webhooks.ts";

const discountsOf = ({ discounts }: ContractInput["lines"][number], currency: string): LineDiscount[] =>
  (discounts ?? []).map(({ title, value, recurringCycleLimit }) => ({
    title: title ?? null,
    percentage: value?.percentage ?? null,
    fixed: value?.fixedAmount
      ? {
          amount: minorOf(value.fixedAmount.amount ?? 0, currency),
          each: value.fixedAmount.appliesOnEachItem ?? false,
        }
      : null,
    recurringCycleLimit: recurringCycleLimit ?? null,
    used: 0,
  }));

const linesOf = ({ lines, currencyCode }: ContractInput): ContractLine[] =>
  lines.map((entry) => ({
    id: globalId("SubscriptionLine", crypto.randomUUID()),
    variantId: entry.line.productVariantId,
    quantity: entry.line.quantity,
    price: minorOf(entry.line.currentPrice, currencyCode),
    sellingPlanId: entry.line.sellingPlanId ?? null,
    sellingPlanName: entry.line.sellingPlanName ?? null,
    customAttributes: entry.line.customAttributes ?? [],
    pricingPolicy: entry.line.pricingPolicy ?? null,
    discounts: discountsOf(entry, currencyCode),
  }));

/** subscriptionContractAtomicCreate: a contract each time it is called, there is no key. */
export const createContract = (
  store: FakeStore,
  input: ContractInput,
): { contract: Contract | null; userErrors: UserError[] } => {
  if (input.discountCodes.length > 0) throw new Error("The fake store knows no discount codes");
  const refusal = nextRefusal(store, "subscriptionContractAtomicCreate");
  if (refusal)
    return {
      contract: null,
      userErrors: [{ code: refusal, field: ["input"], message: `Refused: ${refusal}` }],
    };
  const userErrors = contractErrors(store, input);
  if (userErrors.length > 0) return { contract: null, userErrors };
  const { contract: draft, currencyCode: currency } = input;
  const number = store.nextNumber("SubscriptionContract");
  const contract: Contract = {
    id: globalId("SubscriptionContract", number),
    number,
    customer: store.customers.get(input.customerId)!,
    method: store.methods.get(draft.paymentMethodId!)!,
    status: draft.status ?? "ACTIVE",
    currency,
    lines: linesOf(input),
    deliveryPrice: minorOf(draft.deliveryPrice ?? 0, currency),
    deliveryMethod: draft.deliveryMethod ?? null,
    billingPolicy: draft.billingPolicy!,
    deliveryPolicy: draft.deliveryPolicy!,
    customAttributes: draft.customAttributes ?? [],
    note: draft.note ?? null,
    nextBillingDate: input.nextBillingDate,
    cycleEdits: new Map(),
    createdAt: store.now(),
    lastPaymentStatus: null,
  };
  store.contracts.set(contract.id, contract);
  emit(store, "subscription_contracts/create", contractPayload(contract));
  return { contract, userErrors: [] };
};
