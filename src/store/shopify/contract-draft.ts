import { z } from "zod";
import type { Changes, Contract, DesiredState, LineChange } from "./contract-changes.ts";
import { discountInput, lineInput } from "./contract-input.ts";
import {
  addDraftDiscount,
  addDraftLine,
  beginDraft,
  changeDraft,
  changeDraftLine,
  commitDraft,
  removeDraftDiscount,
  removeDraftLine,
} from "./documents.ts";
import { type Ask, mutate } from "./request.ts";
import { parseResponse } from "./responses.ts";

/** Writes the changes into a draft and commits it, so that either all of them take effect or none. */
export async function commitChanges(
  ask: Ask,
  contract: Contract,
  { terms, lines }: Changes,
  desired: DesiredState,
): Promise<void> {
  const { draft } = parseResponse(draftSchema, await mutate(ask, beginDraft, { contract: contract.id }));
  if (Object.keys(terms).length > 0) await mutate(ask, changeDraft, { draft: draft.id, input: terms });
  if (lines.length > 0) await writeLines(ask, draft.id, contract, lines, desired);
  await mutate(ask, commitDraft, { draft: draft.id });
}

const draftSchema = z.object({ draft: z.object({ id: z.string() }) });

/** The discounts are created again with the lines, because each of them belongs to one line. */
async function writeLines(
  ask: Ask,
  draft: string,
  contract: Contract,
  lines: LineChange[],
  desired: DesiredState,
): Promise<void> {
  const currency = desired.currency_code;
  for (const discount of discountsOf(contract)) await mutate(ask, removeDraftDiscount, { draft, discount });
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
  ask: Ask,
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

/** Discounts that this service has added, and those of codes that the customer entered at the checkout. */
function discountsOf({ discounts, lines }: Contract): Set<string> {
  const allocated = lines.nodes.flatMap(({ discountAllocations }) =>
    discountAllocations.map(({ discount }) => discount.id),
  );
  return new Set([...discounts.nodes.map(({ id }) => id), ...allocated]);
}
