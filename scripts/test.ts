// `npm test`: all tests, or those of the paths that are named.
import { commandLine } from "./command-line.ts";
import { program, runEach } from "./run-each.ts";

const { values, positionals } = commandLine({
  usage: `Usage: npm test [-- PATH …] [--project rules|host|host-objects|workers|browser] [--name TEXT] [--watch]

Runs all tests, or those in files whose path contains one of PATH.

  --project  rules: those without a Worker; host: those with one, within Node; workers: those that depend on workerd, there;
             host-objects: those of host on accounts with an object; browser: those in Chromium
  --name     only tests whose title contains TEXT
  --watch    runs again what a change touches`,
  options: {
    project: { type: "string" },
    name: { type: "string", short: "t" },
    watch: { type: "boolean", default: false },
  },
  positionals: true,
});

await import("./prepare.mjs");
runEach([
  program(
    "vitest/vitest.mjs",
    values.watch ? "watch" : "run",
    ...positionals,
    ...(values.project === undefined ? [] : ["--project", values.project]),
    ...(values.name === undefined ? [] : ["--testNamePattern", values.name]),
  ),
]);
