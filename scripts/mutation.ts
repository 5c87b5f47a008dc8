// `npm run mutation`: whether the tests of the pure rules notice every change of them (CONTRIBUTING.md).
import { availableParallelism } from "node:os";
import { commandLine, refuse, wholeNumber } from "./command-line.ts";
import { faultsIn, leastScore } from "./mutation/check.ts";
import { type Outcome, scoreOf } from "./mutation/outcome.ts";
import { ruleFiles } from "./mutation/rules.ts";
import { survivors } from "./mutation/survivors.ts";
import { requireTool } from "./require-tool.ts";

const { values, positionals } = commandLine({
  usage: `Usage: npm run mutation -- [FILE …] [--workers N]

Changes the pure rules in every small way, one change at a time (Stryker), and runs their tests. A change that no test notices
must stand in scripts/mutation/survivors.ts with why it makes no difference. Prints the score of each file. Fails for a score
below ${leastScore} %, for a survivor that is not listed, and for a listed one that does not survive. All files take half an hour on two
cores.

  FILE       only these of the files below
  --workers  how many changes are tried at once; as many as there are processors unless told

${ruleFiles.map(({ file }) => `  ${file}`).join("\n")}`,
  options: { workers: { type: "string", default: String(availableParallelism()) } },
  positionals: true,
});

const workers = wholeNumber("workers", values.workers, { min: 1, max: 64 });
const stranger = positionals.find((path) => !ruleFiles.some(({ file }) => file === path));
if (stranger !== undefined) refuse(`${stranger} is none of the files with rules`);
const chosen = ruleFiles.filter(({ file }) => positionals.length === 0 || positionals.includes(file));
const width = Math.max(...chosen.map(({ file }) => file.length));

// The rest is loaded once the arguments are known to be right.
await requireTool("mutation");
const { runMutants } = await import("./mutation/run.ts");

const outcomes: Outcome[] = [];
for (const rule of chosen) {
  const outcome = await runMutants(rule, workers);
  outcomes.push(outcome);
  print(rule.file, outcome);
  for (const fault of faultsIn(outcome, survivors[rule.file])) {
    process.exitCode = 1;
    console.error(`  ${fault}`);
  }
}
if (outcomes.length > 1)
  print("all of them", {
    killed: sumOf(({ killed }) => killed),
    timedOut: sumOf(({ timedOut }) => timedOut),
    survivors: outcomes.flatMap(({ survivors }) => survivors),
  });

function print(what: string, outcome: Outcome): void {
  const { killed, timedOut, survivors } = outcome;
  const figures = `${killed} killed, ${timedOut} timed out, ${survivors.length} survived`;
  console.log(`${what.padEnd(width)}  ${scoreOf(outcome).toFixed(2).padStart(6)} %  ${figures}`);
}

function sumOf(figure: (outcome: Outcome) => number): number {
  return outcomes.reduce((sum, outcome) => sum + figure(outcome), 0);
}
