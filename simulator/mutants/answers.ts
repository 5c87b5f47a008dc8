import { edit, type Mutant } from "./edits.ts";

/** Bugs in what an answer of the store means. */
export const answerMutants: Mutant[] = [
  {
    name: "a success without its order is a decline",
    what: "a charge whose order the store does not show yet counts as declined, and is made again under a new number",
    edits: [
      edit(
        "src/stores/shopify/attempts.ts",
        '{ outcome: "succeeded_without_order", reference: id, paid: null };',
        '{ outcome: "declined", reference: id, ...classifyFailure("CARD_DECLINED", undefined, false) };',
      ),
    ],
    platform: "shopify",
    rule: "never charged twice for a cycle",
  },
];
