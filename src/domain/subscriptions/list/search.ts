import { searchTextOf } from "../../../base/lib/text.ts";

/** The text after the number in the search text of a new subscription: the store's contract id, if it is linked already. */
export function newSearchText(contractId: number | null): string {
  return contractId === null ? "" : linkedSearchText(0, contractId).slice(1);
}

/** The text that `search` searches: the number, and the store's contract id. */
export function linkedSearchText(number: number, contractId: number): string {
  return searchTextOf([String(number), String(contractId)]);
}
