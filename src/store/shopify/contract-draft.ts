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

const begun = z.object({ draft: z.object({ id: z.string() }) });
const added = z.object({ lineAdded: z.object({ id: z.string() }) });

/** A line as it is desired, by its id; new ones have theirs from Shopify. */
const writeLine = async (
  ask: Ask,
  draft: string,
  { line, desired }: LineChange,
  currency: string,
): Promise<string | undefined> => {
  if (!desired) {
    await mutate(ask, removeDraftLine, { draft, line: line?.id });
    return undefined;
  }
  const input = lineInput(desired, currency);
  if (!line) return parseResponse(added, await mutate(ask, addDraftLine, { draft, input })).lineAdded.id;
  await mutate(ask, changeDraftLine, { draft, line: line.id, input });
  return line.id;
};

/** Those that were given here, and codes that were entered at the checkout. */
const discountsOf = ({ discounts, lines }: Contract): Set<string> => {
  const taken = lines.nodes.flatMap(({ discountAllocations }) =>
    discountAllocations.map(({ discount }) => discount.id),
  );
  return new Set([...discounts.nodes.map(({ id }) => id), ...taken]);
};

/** Discounts are made anew with the lines, each for a line of its own. */
const writeLines = async (
  ask: Ask,
  draft: string,
  contract: Contract,
  lines: LineChange[],
  desired: DesiredState,
) => {
  const currency = desired.currency_code;
  for (const discount of discountsOf(contract)) await mutate(ask, removeDraftDiscount, { draft, discount });
  for (const change of lines) {
    const id = await writeLine(ask, draft, change, currency);
    const off = change.desired?.discount_amount ?? 0;
    if (id === undefined || off === 0) continue;
    const input = { ...discountInput(off, currency), entitledLines: { all: false, lines: { add: [id] } } };
    await mutate(ask, addDraftDiscount, { draft, input });
  }
};

/** Writes what differs into a draft and commits it: all of it holds then, or none. */
export const commitChanges = async (
  ask: Ask,
  contract: Contract,
  { terms, lines }: Changes,
  desired: DesiredState,
): Promise<void> => {
  const { draft } = parseResponse(begun, await mutate(ask, beginDraft, { contract: contract.id }));
  if (Object.keys(terms).length > 0) await mutate(ask, changeDraft, { draft: draft.id, input: terms });
  if (lines.length > 0) await writeLines(ask, draft.id, contract, lines, desired);
  await mutate(ask, commitDraft, { draft: draft.id });
};
