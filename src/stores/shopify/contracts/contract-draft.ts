import { z } from "zod";
import {
  addDraftDiscount,
  addDraftLine,
  beginDraft,
  changeDraft,
  changeDraftLine,
  commitDraft,
  removeDraftDiscount,
  removeDraftLine,
} from "../documents.ts";
import { type AskShopify, mutate } from "../request.ts";
import { parseResponse } from "../responses.ts";
import type { Changes, Contract, DesiredState, LineChange } from "./contract-changes.ts";
import { discountInput, lineInput } from "./contract-input.ts";

/** Writes the changes into a draft and commits it, so that either all of them take effect or none. */
export async function commitByDraft(
  ask: AskShopify,
  contract: Contract,
  { terms, lines }: Changes,
  desired: DesiredState,
  markDelivery: () => Promise<void>,
): Promise<void> {
  const { draft } = parseResponse(draftSchema, await mutate(ask, beginDraft, { contract: contract.id }));
  if (terms.deliveryMethod) await markDelivery();
  if (Object.keys(terms).length > 0) await mutate(ask, changeDraft, { draft: draft.id, input: terms });
  const kept = lines.length > 0 ? new Set<string>() : discountsOnLines(contract);
  for (const { id: discount } of draft.discounts.nodes)
    if (!kept.has(discount)) await mutate(ask, removeDraftDiscount, { draft: draft.id, discount });
  if (lines.length > 0) await writeLines(ask, draft.id, lines, desired.currency_code);
  await mutate(ask, commitDraft, { draft: draft.id });
}

const draftSchema = z.object({
  draft: z.object({
    id: z.string(),
    discounts: z.object({ nodes: z.array(z.object({ id: z.string() })) }),
  }),
});

/** The discounts are created again with the lines, because each of them belongs to one line. */
async function writeLines(
  ask: AskShopify,
  draft: string,
  lines: LineChange[],
  currency: string,
): Promise<void> {
  for (const change of lines) {
    const id = await writeLine(ask, draft, change, currency);
    const amount = change.desired?.discount_amount ?? 0;
    if (id === undefined || amount === 0) continue;
    const input = { ...discountInput(amount, currency), entitledLines: { all: false, lines: { add: [id] } } };
    await mutate(ask, addDraftDiscount, { draft, input });
  }
}

/** Writes one line, and returns its id unless it was removed. Shopify gives a new line its id. */
async function writeLine(
  ask: AskShopify,
  draft: string,
  { line, desired }: LineChange,
  currency: string,
): Promise<string | undefined> {
  if (!desired) {
    await mutate(ask, removeDraftLine, { draft, line: line?.id });
    return undefined;
  }
  const input = lineInput(desired, currency);
  if (!line)
    return parseResponse(addedSchema, await mutate(ask, addDraftLine, { draft, input })).lineAdded.id;
  await mutate(ask, changeDraftLine, { draft, line: line.id, input });
  return line.id;
}

const addedSchema = z.object({ lineAdded: z.object({ id: z.string() }) });

/** Every other discount is off the delivery, or hidden, and would change what is charged. */
function discountsOnLines({ discounts, lines }: Contract): Set<string> {
  const allocated = lines.nodes.flatMap(({ discountAllocations }) =>
    discountAllocations.map(({ discount }) => discount.id),
  );
  const shown = discounts.nodes.filter(({ targetType }) => targetType === "LINE_ITEM").map(({ id }) => id);
  return new Set([...shown, ...allocated]);
}
