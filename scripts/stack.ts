// `npm run stack`: where in the sources a stack of the log is. The deployed script is minified.
import { existsSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { text } from "node:stream/consumers";
import { commandLine } from "./command-line.ts";
import { root } from "./paths.ts";

commandLine({
  usage: `Usage: npm run stack < LINE

Reads a line of the log, or any text with positions in the deployed script (start.js:3:1201), and prints it with those in the sources. This
checkout must be at the commit that is deployed.`,
  options: {},
});

await import("./prepare.mjs");
await import("./deployed/make.ts");

const logged = await text(process.stdin);
console.log(
  logged
    .replaceAll("\\n", "\n")
    .replaceAll(/(?:file:\/\/\/)?\b(\w+\.js):(\d+):(\d+)/g, inSources)
    .trimEnd(),
);

function inSources(position: string, module: string, line: string, column: string): string {
  const path = `${root}build/worker/${module}.map`;
  if (!existsSync(path)) return position;
  const found = new SourceMap(JSON.parse(readFileSync(path, "utf8"))).findEntry(
    Number(line) - 1,
    Number(column) - 1,
  );
  if (!("originalSource" in found)) return position;
  return `${found.originalSource}:${found.originalLine + 1}:${found.originalColumn + 1}`;
}
