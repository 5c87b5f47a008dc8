import { minorOf } from "./amounts.ts";
import { isOver, isTerminated, revise } from "./contract-changes.ts";
import { cadenceErrors, deliveryErrors, noLines, paymentErrors, policyErrors } from "./contract-rules.ts";
import { globalId } from "./ids.ts";
import type { TermsInput } from "./inputs.ts";
import type { Contract, ContractTerms, Draft, UserError } from "./records.ts";
import type { FakeStore } from "./store.ts";

export type Refused = { userErrors: UserError[] };

export function refused(code: string, field: string, message: string): Refused {
  return {
    userErrors: [{ code, field: [field], message }],
  };
}

/** subscriptionContractUpdate: a draft of the current contract, which may have several. */
export function beginDraft(store: FakeStore, contractId: string): Refused | { draft: Draft } {
  const contract = store.contracts.get(contractId);
  if (!contract) return refused("INVALID", "contractId", "Subscription contract does not exist");
  if (isTerminated(contract)) return hasEnded("contractId");
  const draft: Draft = {
    id: globalId("SubscriptionDraft", store.nextNumber("SubscriptionDraft")),
    contract,
    revision: contract.revision,
    terms: termsOf(contract),
    removedLines: new Set(),
    isCommitted: false,
  };
  store.drafts.set(draft.id, draft);
  return { draft };
}

/** Changes a draft that can still be committed. */
export function inDraft<R>(
  store: FakeStore,
  draftId: string,
  change: (draft: Draft) => Refused | R,
): Refused | R {
  const found = findOpen(store, draftId);
  if (!("draft" in found)) return found;
  return isTerminated(found.draft.contract) ? hasEnded("draftId") : change(found.draft);
}

/** subscriptionDraftUpdate: fields that the input omits do not change. */
export function changeTerms(store: FakeStore, draft: Draft, input: TermsInput): Refused | { draft: Draft } {
  const userErrors = inputErrors(store, draft, input);
  if (userErrors.length > 0) return { userErrors };
  const { terms, contract } = draft;
  draft.terms = {
    ...terms,
    status: input.status ?? terms.status,
    method: input.paymentMethodId ? store.methods.get(input.paymentMethodId)! : terms.method,
    billingPolicy: input.billingPolicy ?? terms.billingPolicy,
    deliveryPolicy: input.deliveryPolicy ?? terms.deliveryPolicy,
    deliveryMethod: input.deliveryMethod ?? terms.deliveryMethod,
    deliveryPrice:
      input.deliveryPrice == null ? terms.deliveryPrice : minorOf(input.deliveryPrice, contract.currency),
    nextBillingDate: input.nextBillingDate ?? terms.nextBillingDate,
    customAttributes: input.customAttributes ?? terms.customAttributes,
    note: input.note === undefined ? terms.note : input.note,
  };
  return { draft };
}

/** subscriptionDraftCommit: the whole draft or nothing of it. */
export function commitDraft(store: FakeStore, draftId: string): Refused | { contract: Contract } {
  const found = findOpen(store, draftId);
  if (!("draft" in found)) return found;
  const { draft } = found;
  const { contract, terms } = draft;
  if (draft.revision !== contract.revision)
    return refused("STALE_CONTRACT", "draftId", "Subscription contract has changed since the draft was made");
  if (isTerminated(contract)) return hasEnded("draftId");
  const userErrors = termsErrors(store, draft);
  if (userErrors.length > 0) return { userErrors };
  const usedOf = (id: string): number => contract.discounts.find((one) => one.id === id)?.used ?? 0;
  const discounts = terms.discounts.map((discount) => ({ ...discount, used: usedOf(discount.id) }));
  revise(store, contract, { ...terms, discounts });
  draft.isCommitted = true;
  return { contract };
}

function hasEnded(field: string): Refused {
  return refused("INVALID", field, "A terminated subscription contract cannot be changed");
}

/** A copy of the contract, so that the draft's changes do not show in it. */
export function termsOf(contract: Contract): ContractTerms {
  return {
    status: contract.status,
    method: contract.method,
    lines: contract.lines.map((line) => ({ ...line })),
    discounts: contract.discounts.map((discount) => ({ ...discount })),
    deliveryPrice: contract.deliveryPrice,
    deliveryMethod: contract.deliveryMethod,
    billingPolicy: contract.billingPolicy,
    deliveryPolicy: contract.deliveryPolicy,
    customAttributes: contract.customAttributes,
    note: contract.note,
    nextBillingDate: contract.nextBillingDate,
  };
}

function findOpen(store: FakeStore, draftId: string): Refused | { draft: Draft } {
  const draft = store.drafts.get(draftId);
  if (!draft) return refused("INVALID", "draftId", "Subscription draft does not exist");
  return draft.isCommitted
    ? refused("COMMITTED", "draftId", "Subscription draft has been already committed")
    : { draft };
}

function inputErrors(store: FakeStore, { contract }: Draft, input: TermsInput): UserError[] {
  return [
    ...(["billingPolicy", "deliveryPolicy"] as const).flatMap((name) =>
      input[name] ? policyErrors(input[name], ["input", name]) : [],
    ),
    ...(input.paymentMethodId === undefined
      ? []
      : paymentErrors(store, input.paymentMethodId, contract.customer.id, ["input", "paymentMethodId"])),
    ...(input.nextBillingDate && isOver(input.nextBillingDate, store.now())
      ? refused("INVALID_BILLING_DATE", "nextBillingDate", "Next billing date is invalid").userErrors
      : []),
  ];
}

/** Why a draft cannot be committed. The payment method that the contract has already may have been revoked. */
function termsErrors(store: FakeStore, { contract, terms }: Draft): UserError[] {
  const variants = terms.lines.map(({ variantId }) => variantId);
  return [
    ...(terms.lines.length === 0 ? [noLines(["draftId"])] : []),
    ...cadenceErrors(terms, ["draftId"]),
    ...(terms.method === contract.method
      ? []
      : paymentErrors(store, terms.method?.id, contract.customer.id, ["draftId"])),
    ...deliveryErrors(store, { variants, method: terms.deliveryMethod }, ["draftId"]),
  ];
}
