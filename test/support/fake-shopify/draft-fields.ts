import { connection, type Page } from "./connection.ts";
import {
  addDiscount,
  addLine,
  changeLine,
  type DraftLine,
  removeDiscount,
  removeLine,
} from "./draft-lines.ts";
import { beginDraft, changeTerms, commitDraft, inDraft, type Refused } from "./drafts.ts";
import { checkedId } from "./ids.ts";
import type { EntitledDiscountInput, LineChange, LineInput, TermsInput } from "./inputs.ts";
import { lineNode } from "./lines.ts";
import { contractNode, discountNode } from "./nodes.ts";
import type { Draft } from "./records.ts";
import type { FakeStore } from "./store.ts";

/** The mutations that change contracts through drafts. */
export function draftFields(store: FakeStore) {
  const inThis = <R>({ draftId }: InDraft, change: (draft: Draft) => Refused | R): Refused | R =>
    inDraft(store, checkedId("SubscriptionDraft", draftId), change);
  const linePayload = (name: string, answer: Refused | DraftLine): object =>
    payload(answer, ({ line, basket }) => ({ [name]: lineNode(store, basket, line) }));
  const checkedLine = (id: string): string => checkedId("SubscriptionLine", id);
  const draftPayload = (answer: Refused | { draft: Draft }): object =>
    payload(answer, ({ draft: { id, terms, contract } }) => ({
      draft: {
        id,
        discounts: (page: Page) =>
          connection(terms.discounts, page, (discount) =>
            discountNode(store, { ...terms, currency: contract.currency }, discount),
          ),
      },
    }));
  return {
    subscriptionContractUpdate: ({ contractId }: { contractId: string }) =>
      draftPayload(beginDraft(store, checkedId("SubscriptionContract", contractId))),
    subscriptionDraftUpdate: (args: InDraft & { input: TermsInput }) =>
      draftPayload(inThis(args, (draft) => changeTerms(store, draft, args.input))),
    subscriptionDraftLineAdd: (args: InDraft & { input: LineInput }) =>
      linePayload(
        "lineAdded",
        inThis(args, (draft) => addLine(store, draft, args.input)),
      ),
    subscriptionDraftLineUpdate: (args: InDraft & { lineId: string; input: LineChange }) =>
      linePayload(
        "lineUpdated",
        inThis(args, (draft) => changeLine(store, draft, checkedLine(args.lineId), args.input)),
      ),
    subscriptionDraftLineRemove: (args: InDraft & { lineId: string }) =>
      linePayload(
        "lineRemoved",
        inThis(args, (draft) => removeLine(draft, checkedLine(args.lineId))),
      ),
    subscriptionDraftDiscountAdd: (args: InDraft & { input: EntitledDiscountInput }) =>
      payload(
        inThis(args, (draft) => addDiscount(draft, args.input)),
        ({ discount }) => ({ discountAdded: { id: discount.id } }),
      ),
    subscriptionDraftDiscountRemove: (args: InDraft & { discountId: string }) =>
      draftPayload(inThis(args, (draft) => removeDiscount(draft, discountId(args.discountId)))),
    subscriptionDraftCommit: ({ draftId }: InDraft) =>
      payload(commitDraft(store, checkedId("SubscriptionDraft", draftId)), ({ contract }) => ({
        contract: contractNode(store, contract),
      })),
  };
}

/** A discount of either kind: a manual one, or a code of the checkout. */
function discountId(id: string): string {
  return checkedId("SubscriptionManualDiscount", id, "SubscriptionAppliedCodeDiscount");
}

type InDraft = { draftId: string };

/** The payload of a mutation: its result under its name, or the user errors. */
function payload<R extends object>(answer: Refused | R, present: (result: R) => object): object {
  return "userErrors" in answer ? answer : { ...present(answer), userErrors: [] };
}
