/**
 * Holds the subjects of commits to what CONTRIBUTING.md says: conventional, at most 72 characters.
 *
 *   npm run lint:commits
 */
import { execFileSync } from "node:child_process";
import { commandLine } from "./command-line.ts";
import { root } from "./paths.ts";

commandLine({
  usage: `Usage: npm run lint:commits

Refuses commits whose subject is not as CONTRIBUTING.md says.`,
  options: {},
});

/** The last commit from before this was asked. */
const before = "f3998e4";
const longest = 72;
const conventional =
  /^(feat|fix|docs|refactor|test|perf|build|ci|chore|style|revert)(\([a-z0-9, -]+\))?!?: [^ ].*$|^Merge /;

function git(...args: string[]): string {
  return execFileSync("git", args, { cwd: root, encoding: "utf8" });
}

/** A clone that is not whole has what it has. */
function range(): string[] {
  try {
    git("merge-base", "--is-ancestor", before, "HEAD");
    return [`${before}..HEAD`];
  } catch {
    return ["-n", "50", "HEAD"];
  }
}

const faults = git("log", "--format=%h %s", ...range())
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
