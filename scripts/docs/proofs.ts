import { withPart } from "./part.ts";
import { promises, type StatedPromise } from "./promises.ts";

/** docs/change/proofs.md with each promise and what states it. */
export function withProofs(text: string): string {
  const sections = Object.entries(promises).map(
    ([about, stated]) => `### ${about}\n\n${stated.map(itemOf).join("\n")}`,
  );
  return withPart(text, "Promises", sections.join("\n\n"));
}

function itemOf({ promise, rules, tests }: StatedPromise): string {
  const proofs = [...rules.map((rule) => `_${rule}_`), ...tests.map((path) => `\`${path}\``)];
  return `- ${promise}: ${proofs.join(", ")}`;
}
