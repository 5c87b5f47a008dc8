import { beginDraft, commitDraft } from "../../../src/stores/shopify/documents.ts";
import { type Json, openStore } from "./store.ts";

/** A contract, and a draft of it. */
export async function openDraft(change?: (input: Json) => void) {
  const shop = openStore();
  const id = await shop.contract(change);
  const begin = async (): Promise<string> => (await shop.answer(beginDraft, { contract: id })).draft.id;
  const draft = await begin();
  const commit = (id = draft): Promise<Json> => shop.answer(commitDraft, { draft: id });
  const codeOf = async (query: string, variables: Json): Promise<string | undefined> =>
    (await shop.answer(query, { draft, ...variables })).userErrors[0]?.code;
  await shop.topics();
  return { ...shop, id, begin, draft, commit, codeOf, line: shop.store.contract(id).lines[0]!.id };
}

/** The input of a line. */
export function draftLine(change: Json = {}) {
  return {
    productVariantId: "gid://shopify/ProductVariant/41002",
    quantity: 1,
    currentPrice: "7.50",
    ...change,
  };
}
