import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  type AssumptionsFile,
  type Verdict,
  writeAssumptions,
} from "../../scripts/store-check/assumptions.ts";

type Result = { verdicts: Record<string, Verdict> };

/** The results of a check of a store, section by section, and each verdict by its assumption. */
export async function resultsOf<R extends Result>(
  check: (onSection: (result: R) => void) => Promise<unknown>,
) {
  const results: R[] = [];
  await check((result) => void results.push(result));
  const verdicts: R["verdicts"] = Object.assign({}, ...results.map((result) => result.verdicts));
  return { results, verdicts, verdictOf: (id: string) => verdicts[id]?.verdict };
}

type Listed = {
  platform: "shopify" | "stripe";
  file: AssumptionsFile;
  sections: { name: string; checks: object }[];
};

/** Holds the file of a platform's assumptions to the check. */
export function testAssumptions({ platform, file, sections }: Listed): void {
  test("stands in a file that a run of the check leaves as it is formatted", () => {
    const path = `scripts/${platform}-check/assumptions.json`;
    expect(readFileSync(path, "utf8")).toBe(writeAssumptions(file));
  });

  test("names for each assumption the section that settles it, or why none does", () => {
    const checks = sections.flatMap(({ name, checks }) => Object.keys(checks).map((id) => [id, name]));
    const settled = file.assumptions.flatMap(({ id, settled_by }) => (settled_by ? [[id, settled_by]] : []));
    expect(checks.toSorted()).toEqual(settled.toSorted());
  });
}
