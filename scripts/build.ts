// `npm run build`: builds the Worker of each environment, without deploying it.
import { commandLine } from "./command-line.ts";
import { npmRun, runEach } from "./run-each.ts";

commandLine({
  usage: `Usage: npm run build

Builds the Worker as staging and production would get it, and deploys nothing.`,
  options: {},
});

await import("./prepare.mjs");
runEach(["staging", "production"].map((env) => npmRun("wrangler", "deploy", "--dry-run", "--env", env)));
