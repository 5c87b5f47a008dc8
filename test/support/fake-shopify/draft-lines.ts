import { discountErrors, lineErrors } from "./contract-rules.ts";
import { type Refused, refused } from "./drafts.ts";
import type { EntitledDiscountInput, LineChange, LineInput } from "./inputs.ts";
import { type Basket, changedLine, discountOf, lineOf } from "./lines.ts";
import type { ContractLine, Discount, Draft } from "./records.ts";
import type { FakeStore } from "./store.ts";

/** A line with the lines that it is added to, changed in, or removed from. */
export type DraftLine = { line: ContractLine; basket: Basket };

/** subscriptionDraftLineAdd. */
export function addLine(store: FakeStore, draft: Draft, input: LineInput): Refused | DraftLine {
  const userErrors = lineErrors(store, input, ["input"]);
  if (userErrors.length > 0) return { userErrors };
  const line = lineOf(store, input, draft.contract.currency);
  draft.terms = { ...draft.terms, lines: [...draft.terms.lines, line] };
  return { line, basket: basketOf(draft) };
}

/** subscriptionDraftLineUpdate: the line keeps its id. */
export function changeLine(
  store: FakeStore,
  draft: Draft,
  lineId: string,
  input: LineChange,
): Refused | DraftLine {
  const before = draft.terms.lines.find(({ id }) => id === lineId);
  if (!before) return noSuchLine(draft, lineId);
  const userErrors = lineErrors(store, input, ["input"]);
  if (userErrors.length > 0) return { userErrors };
  const line = changedLine(before, input, draft.contract.currency);
  draft.terms = {
    ...draft.terms,
    lines: draft.terms.lines.map((one) => (one === before ? line : one)),
  };
  return { line, basket: basketOf(draft) };
}

/** subscriptionDraftLineRemove: a discount for this line alone is removed too. */
export function removeLine(draft: Draft, lineId: string): Refused | DraftLine {
  const { terms, removedLines } = draft;
  const line = terms.lines.find(({ id }) => id === lineId);
  if (!line) return noSuchLine(draft, lineId);
  const basket = basketOf(draft);
  removedLines.add(lineId);
  draft.terms = {
    ...terms,
    lines: terms.lines.filter((one) => one !== line),
    discounts: terms.discounts
      .map((discount) => withoutLine(discount, lineId))
      .filter(({ entitled }) => entitled.length > 0),
  };
  return { line, basket };
}

/** subscriptionDraftDiscountAdd: the discount applies after the existing ones. */
export function addDiscount(draft: Draft, input: EntitledDiscountInput): Refused | { discount: Discount } {
  const { terms, contract } = draft;
  const lineIds = input.entitledLines?.lines?.add ?? [];
  const entitled = input.entitledLines?.all ? "all" : lineIds;
  if (entitled.length === 0)
    return refused("NO_ENTITLED_LINES", "input", "Discount must have at least one entitled line");
  if (lineIds.some((id) => terms.lines.every((line) => line.id !== id)))
    return refused("INVALID", "input", "Entitled line does not exist");
  const userErrors = discountErrors(input, ["input"]);
  if (userErrors.length > 0) return { userErrors };
  const discount = discountOf(input, entitled, contract.currency);
  draft.terms = { ...terms, discounts: [...terms.discounts, discount] };
  return { discount };
}

/** subscriptionDraftDiscountRemove. */
export function removeDiscount(draft: Draft, discountId: string): Refused | { draft: Draft } {
  const { terms } = draft;
  if (terms.discounts.every(({ id }) => id !== discountId))
    return refused("INVALID", "discountId", "Subscription discount does not exist");
  draft.terms = { ...terms, discounts: terms.discounts.filter(({ id }) => id !== discountId) };
  return { draft };
}

function basketOf({ terms: { lines, discounts }, contract: { currency } }: Draft): Basket {
  return {
    lines,
    discounts,
    currency,
  };
}

function noSuchLine({ removedLines }: Draft, lineId: string): Refused {
  return removedLines.has(lineId)
    ? refused("ALREADY_REMOVED", "lineId", "This line has already been removed")
    : refused("INVALID", "lineId", "Subscription line does not exist");
}

function withoutLine(discount: Discount, lineId: string): Discount {
  return discount.entitled === "all"
    ? discount
    : { ...discount, entitled: discount.entitled.filter((id) => id !== lineId) };
}
