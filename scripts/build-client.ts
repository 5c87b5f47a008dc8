// `npm run build:client`: makes the typed client's types from the API's document, and compiles it.
import { commandLine } from "./command-line.ts";
import { npmRun, runEach } from "./run-each.ts";

commandLine({
  usage: `Usage: npm run build:client

Makes the types of clients/typescript from the API's document where it has changed, and compiles the client to its dist.`,
  options: {},
});

runEach([[...npmRun("build"), "--workspace", "clients/typescript"]]);
