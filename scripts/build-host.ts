// `npm run build:host`: all that one machine needs in dist/, which runs in any folder by Node alone.

import { relative } from "node:path";
import { commandLine } from "./command-line.ts";
import { buildHost } from "./host/build.ts";

commandLine({
  usage: `Usage: npm run build:host

Makes dist/perennial.mjs, and dist/public beside it: node dist/perennial.mjs --help says what it does.`,
  options: {},
});

await import("./prepare.mjs");
const { file, bytes } = await buildHost();
const path = relative(process.cwd(), file);
console.log(`${path}: ${(bytes / 1e6).toFixed(1)} MB. Try it: node ${path} serve --data ./data --demo`);
