/**
 * Holds the subjects of the newest fifty commits to what CONTRIBUTING.md says: conventional, at most 72 characters.
 *
 *   npm run lint:commits
 */
import { execFileSync } from "node:child_process";
import { commandLine } from "./command-line.ts";
import { root } from "./paths.ts";

commandLine({
  usage: `Usage: npm run lint:commits

Refuses the newest fifty commits if the subject of one is not as CONTRIBUTING.md says.`,
  options: {},
});

/** Older ones are history that nobody rewrites. */
const newest = 50;
const longest = 72;
const conventional =
  /^(feat|fix|docs|refactor|test|perf|build|ci|chore|style|revert)(\([a-z0-9, -]+\))?!?: [^ ].*$|^Merge /;

const faults = execFileSync("git", ["log", "-n", String(newest), "--format=%h %s"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => ({ hash: line.slice(0, line.indexOf(" ")), subject: line.slice(line.indexOf(" ") + 1) }))
  .flatMap(({ hash, subject }) => [
    ...(subject.length > longest
      ? [`${hash}: ${subject.length} characters, at most ${longest}: ${subject}`]
      : []),
    ...(conventional.test(subject) ? [] : [`${hash}: not of the form "type(scope): effect": ${subject}`]),
  ]);

for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);
console.log("The commits' subjects are as they should be");
