// `npm run verify`: all that a change must pass.
import { commandLine } from "./command-line.ts";
import { npmRun, runEach } from "./run-each.ts";

commandLine({
  usage: `Usage: npm run verify

Lints code, commits, the API document and the lock file, checks types, builds, and runs the MCP conformance suite, the fault
simulator and all tests. Ends with the first that fails.`,
  options: {},
});

runEach([
  npmRun("lint"),
  npmRun("lint:commits"),
  npmRun("typecheck"),
  npmRun("lint:openapi"),
  npmRun("build:client"),
  npmRun("lint:lock"),
  npmRun("build"),
  npmRun("conformance"),
  npmRun("simulate", "--schedules", "5000"),
  npmRun("test"),
]);
