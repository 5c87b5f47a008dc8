// `npm run build`: builds the Worker of each environment, without deploying it.
import { commandLine } from "./command-line.ts";
import { showWrangler } from "./wrangler.ts";

commandLine({
  usage: `Usage: npm run build

Builds the Worker as staging and production would get it, and deploys nothing.`,
  options: {},
});

await import("./prepare.mjs");
for (const env of ["staging", "production"]) {
  process.exitCode = await showWrangler(["deploy", "--dry-run", "--env", env]);
  if (process.exitCode !== 0) break;
}
