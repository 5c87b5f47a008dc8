import type { NamedTest } from "../../simulator/mutants/edits.ts";
import { root } from "../paths.ts";
import { runNode } from "./run-node.ts";

/**
 * Runs the named tests in a copy of the project, and returns the names of those that fail. Another test that fails does not
 * count; a test that does not exist is an error, and so are tests that do not end in time.
 */
export async function failingTests(cwd: string, named: NamedTest[], timeoutMs: number): Promise<string[]> {
  if (named.length === 0) return [];
  const files = [...new Set(named.map(({ file }) => file))];
  const projects = [...new Set(files.map(projectOf))].map((project) => `--project=${project}`);
  const pattern = named.map(({ test }) => test.replace(/[.*+?^$()[\]{}|\\]/g, "\\$&")).join("|");
  const args = ["run", ...files, ...projects, "-t", pattern, "--reporter=verbose"];
  const vitest = `${root}node_modules/vitest/vitest.mjs`;
  const { code, output, isTimedOut } = await runNode(cwd, [vitest, ...args], timeoutMs);
  if (isTimedOut) throw new Error(`${files.join()} did not end within ${timeoutMs / 1000} s:\n${output}`);
  const lines = output.split("\n");
  return named.flatMap(({ file, test }) => {
    const shown = lines.filter((line) => line.includes(test));
    if (shown.length === 0) throw new Error(`${file} has no test "${test}":\n${output}`);
    return code !== 0 && shown.some((line) => line.includes("FAIL")) ? [test] : [];
  });
}

/** Tests that must fail with a mutant have to pass without one. */
export async function requirePassing(cwd: string, named: NamedTest[], timeoutMs: number): Promise<void> {
  const failing = await failingTests(cwd, named, timeoutMs);
  if (failing.length > 0) throw new Error(`These fail without a mutant too:\n${failing.join("\n")}`);
}

/** The tests of rules run in Node, all others in workerd. */
function projectOf(file: string): string {
  return /^(src|test\/node)\//.test(file) ? "rules" : "workers";
}
