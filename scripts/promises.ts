// `npm run promises`: makes docs/promises.md, and fails if nothing states a promise of the documents.
import { writeFileSync } from "node:fs";
import { commandLine } from "./command-line.ts";
import { root } from "./paths.ts";

commandLine({
  usage: `Usage: npm run promises

Makes docs/promises.md: each promise of the documents, with the tests or the rules of the simulator that state it. Fails, and
names the promise, if there is none.`,
  options: {},
});

const { promisesPage } = await import("./promises/page.ts");
const { text, faults } = promisesPage();
writeFileSync(`${root}docs/promises.md`, text);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);
console.log("docs/promises.md is made; each promise is stated");
