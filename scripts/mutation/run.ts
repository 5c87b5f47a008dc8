import { readFileSync } from "node:fs";
import { Stryker } from "../../tools/mutation/stryker.mjs";
import { root } from "../paths.ts";
import { changeOf, type Outcome } from "./outcome.ts";
import type { RuleFile } from "./rules.ts";

/** Runs the mutants of one file in a copy of the project, each against the tests of that file. */
export async function runMutants({ file, tests }: RuleFile, concurrency: number): Promise<Outcome> {
  const source = readFileSync(`${root}${file}`, "utf8");
  process.env.MUTATION_TESTS = tests.join(" ");
  const results = await new Stryker({
    configFile: "scripts/mutation/stryker.json",
    jsonReporter: { fileName: `coverage/mutation/${file.replaceAll("/", "-")}.json` },
    mutate: [file],
    concurrency,
  }).runMutationTest();
  const having = (...statuses: string[]) => results.filter(({ status }) => statuses.includes(status));
  return {
    killed: having("Killed").length,
    timedOut: having("Timeout").length,
    survivors: having("Survived", "NoCoverage").map((mutant) => changeOf(source, mutant)),
  };
}
