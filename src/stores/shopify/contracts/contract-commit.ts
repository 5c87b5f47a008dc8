import type { AskShopify } from "../request.ts";
import { commitByCalculation } from "./contract-calculation.ts";
import type { Changes, Contract, DesiredState } from "./contract-changes.ts";
import { commitByDraft } from "./contract-draft.ts";

/**
 * Commits changes of a contract, all of them or none: by a draft, or where the store's version has no drafts, by a calculation, their
 * successor. Returns Shopify's warnings. A version that does not know a mutation refuses the request as a whole, so that nothing of it was
 * done. Calls `markDelivery` before an address is committed, once the draft or the calculation exists: from then on Shopify refuses the commit
 * if somebody else changes the contract.
 */
export async function commitChanges(
  ask: AskShopify,
  contract: Contract,
  changes: Changes,
  desired: DesiredState,
  markDelivery: () => Promise<void>,
): Promise<string[]> {
  try {
    await commitByDraft(ask, contract, changes, desired, markDelivery);
    return [];
  } catch (error) {
    if (!isUnknownMutation(error)) throw error;
    return commitByCalculation(ask, contract, changes, desired, markDelivery);
  }
}

/**
 * The store's version does not have a mutation, by Shopify's text: https://github.com/Shopify/shopify-api-js/issues/851. While a charge is
 * prepared every refusal of a request is an unknown outcome; its text is the same.
 */
export function isUnknownMutation(error: unknown): boolean {
  return error instanceof Error && /doesn't exist on type 'Mutation'/.test(error.message);
}
