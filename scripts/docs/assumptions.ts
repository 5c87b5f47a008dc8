import { readFileSync } from "node:fs";
import { root } from "../paths.ts";
import { type AssumptionsFile, isGuess } from "../store-check/assumptions.ts";
import { table, withPart } from "./part.ts";

const stores = [
  ["Stripe", "stripe-check"],
  ["Shopify", "shopify-check"],
] as const;

/** docs/change/assumptions.md: how many assumptions there are of each store, and the guesses that no check settles. */
export function withAssumptions(text: string): string {
  const files = stores.map(([store, check]) => {
    const { assumptions, verdicts } = parse(check);
    const counts = [
      assumptions.length,
      assumptions.filter(({ settled_by }) => settled_by !== null).length,
      assumptions.filter(isGuess).length,
      Object.keys(verdicts).length || "none: never run at a real store",
    ];
    const open = assumptions.filter((one) => isGuess(one) && one.settled_by === null);
    return { store, counts: [store, ...counts], open };
  });
  const heads = ["Store", "Assumptions", "Settled by the check", "Guesses, in part or whole", "Verdicts"];
  const counted = table(
    heads,
    files.map(({ counts }) => counts),
  );
  const guesses = files.flatMap(({ store, open }) => open.map((one) => `- ${store}: ${one.assumption}`));
  return withPart(withPart(text, "Counts", counted), "Open guesses", guesses.join("\n"));
}

function parse(check: string): AssumptionsFile {
  return JSON.parse(readFileSync(`${root}scripts/${check}/assumptions.json`, "utf8"));
}
