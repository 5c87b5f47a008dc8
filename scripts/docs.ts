// `npm run docs`: writes the parts of docs/ that are made of the code and of measured figures.
import { readFileSync, writeFileSync } from "node:fs";
import { commandLine } from "./command-line.ts";
import { root } from "./paths.ts";

commandLine({
  usage: `Usage: npm run docs

Writes the parts of docs/ that are made: settings, alerts and lines of the log, costs, assumptions about stores, the law, mails, events, and the drawing of a charge.`,
  options: {},
});

// The rest is loaded once the arguments are known to be right.
const { chargeDrawing } = await import("./docs/charge-drawing.ts");
const { pages } = await import("./docs/pages.ts");

for (const [page, make] of Object.entries(pages)) {
  const path = `${root}docs/${page}`;
  writeFileSync(path, await make(readFileSync(path, "utf8")));
}

writeFileSync(`${root}docs/pictures/charge.svg`, chargeDrawing());
