// `npm run build:client`: compiles the typed client, if it is made from the document as it is.
import { commandLine } from "./command-line.ts";
import { npmRun, runEach } from "./run-each.ts";

commandLine({
  usage: `Usage: npm run build:client

Compiles clients/typescript. Fails if its types are not those of the API's document any more: npm run client writes them.`,
  options: {},
});

runEach([[...npmRun("build"), "--workspace", "clients/typescript"]]);
