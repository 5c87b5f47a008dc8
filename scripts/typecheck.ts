// `npm run typecheck`: generates the runtime's and the client's types, then checks all code.
import { commandLine } from "./command-line.ts";
import { requireTool } from "./require-tool.ts";
import { npmRun, program, runEach } from "./run-each.ts";

commandLine({
  usage: `Usage: npm run typecheck

Generates the runtime's types from wrangler.toml and the client's from the API's document, then checks all code with TypeScript.`,
  options: {},
});

// The code that uses these tools is checked too.
for (const tool of ["browser", "openapi", "theme"]) await requireTool(tool);
await import("./prepare.mjs");
runEach([
  npmRun("types"),
  [process.execPath, "clients/typescript/scripts/generate.ts"],
  // Several checkers each work out the types of what they share: on two processors, beside other checks, one is done sooner.
  program("typescript/bin/tsc", "--checkers", "1"),
]);
