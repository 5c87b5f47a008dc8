// `npm run verify`: all that a change must pass.
import { commandLine } from "./command-line.ts";
import { root } from "./paths.ts";
import { npmRun, runEach } from "./run-each.ts";
import { runTogether } from "./run-together.ts";

commandLine({
  usage: `Usage: npm run verify

Lints code, commits, the API document and the lock file, checks types, builds, holds the script to its budget, and runs the MCP conformance suite, side by side;
then the fault simulator, then all tests. Ends with the first that fails, whose output comes last.`,
  options: {},
});

// The many processes load the same programs: code that one has compiled, the others need not compile again.
process.env.NODE_COMPILE_CACHE ??= `${root}node_modules/.cache/compiled`;

// Two of the checks would write them at the same time.
await import("./prepare.mjs");
// The longest first: what is begun last is over soonest.
await runTogether([
  "typecheck",
  "conformance",
  "build:client",
  "lint:openapi",
  "build",
  "budget",
  "lint",
  "lint:commits",
  "lint:lock",
]);
runEach([npmRun("simulate", "--schedules", "400"), npmRun("test")]);
