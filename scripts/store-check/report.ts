import { readFileSync, writeFileSync } from "node:fs";
import { root } from "../paths.ts";
import { parseAssumptions, type Verdict, withVerdicts, writeAssumptions } from "./assumptions.ts";
import { assumptionsPage } from "./page.ts";

type Reported = { name: string; verdicts: Record<string, Verdict>; left: string[] };

/** The assumptions about a store, which stand beside its check. */
export function assumptionsIn(check: string, head: string, sectionNames: readonly string[]) {
  const json = `${root}scripts/${check}/assumptions.json`;
  const read = () => parseAssumptions(readFileSync(json, "utf8"), sectionNames);
  return {
    /** Prints every assumption with its source and its verdict. */
    list: (): void => console.log(assumptionsPage(head, read())),
    /** Stores and prints the verdicts of a section. One that is contradicted, or a record that stays, makes the command fail. */
    report({ name, verdicts, left }: Reported): void {
      writeFileSync(json, writeAssumptions(withVerdicts(read(), verdicts)));
      for (const [id, { verdict, note }] of Object.entries(verdicts))
        console.log(`${name.padEnd(16)}${verdict.padEnd(14)}${id}${note && ` (${note})`}`);
      for (const what of left) console.error(`${name}: not cleaned up: ${what}`);
      const isBad =
        left.length > 0 || Object.values(verdicts).some(({ verdict }) => verdict === "contradicted");
      if (isBad) process.exitCode = 1;
    },
  };
}
