import { readFileSync } from "node:fs";
import { root } from "../paths.ts";
import { type AssumptionsFile, isGuess } from "../store-check/assumptions.ts";
import { table, withPart } from "./part.ts";

const stores = [
  ["Stripe", "stripe-check"],
  ["Shopify", "shopify-check"],
] as const;

/** docs/change/assumptions.md: how many assumptions there are of each store, how many are guesses, and how many of these no check settles. */
export function withAssumptions(text: string): string {
  const rows = stores.map(([store, check]) => {
    const { assumptions, verdicts } = parse(check);
    const guesses = assumptions.filter(isGuess);
    return [
      store,
      assumptions.length,
      assumptions.filter(({ settled_by }) => settled_by !== null).length,
      guesses.length,
      guesses.filter(({ settled_by }) => settled_by === null).length,
      Object.keys(verdicts).length || "none: never run at a real store",
    ];
  });
  const heads = [
    ...["Store", "Assumptions", "Settled by the check", "Guesses, in part or whole", "That no check settles"],
    "Verdicts",
  ];
  return withPart(text, "Counts", table(heads, rows));
}

function parse(check: string): AssumptionsFile {
  return JSON.parse(readFileSync(`${root}scripts/${check}/assumptions.json`, "utf8"));
}
