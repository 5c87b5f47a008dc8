import { readFileSync, writeFileSync } from "node:fs";
import { root } from "../paths.ts";
import { parseAssumptions, type Verdict, withVerdicts, writeAssumptions } from "./assumptions.ts";
import { assumptionsPage } from "./page.ts";

type Reported = { name: string; verdicts: Record<string, Verdict>; left: string[] };

/** The files of a store's assumptions, docs/{name}.json and the page that is made of it. */
export function assumptionsIn(name: string, head: string, sectionNames: readonly string[]) {
  const json = `${root}docs/${name}.json`;
  const read = () => parseAssumptions(readFileSync(json, "utf8"), sectionNames);
  const writePage = (): void => writeFileSync(`${root}docs/${name}.md`, assumptionsPage(head, read()));
  return {
    writePage,
    /** Stores and prints the verdicts of a section. One that is contradicted, or a record that stays, makes the command fail. */
    report({ name, verdicts, left }: Reported): void {
      writeFileSync(json, writeAssumptions(withVerdicts(read(), verdicts)));
      writePage();
      for (const [id, { verdict, note }] of Object.entries(verdicts))
        console.log(`${name.padEnd(16)}${verdict.padEnd(14)}${id}${note && ` (${note})`}`);
      for (const what of left) console.error(`${name}: not cleaned up: ${what}`);
      const isBad =
        left.length > 0 || Object.values(verdicts).some(({ verdict }) => verdict === "contradicted");
      if (isBad) process.exitCode = 1;
    },
  };
}
