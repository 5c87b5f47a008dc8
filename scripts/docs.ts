// `npm run docs`: writes the parts of docs/ that are made of the code and of measured figures.
import { readFileSync, writeFileSync } from "node:fs";
import { commandLine } from "./command-line.ts";
import { root } from "./paths.ts";

commandLine({
  usage: `Usage: npm run docs

Writes the parts of docs/ that are made: the events of the log (operating.md), what a month costs (scale.md), and the drawing of a charge.`,
  options: {},
});

// The rest is loaded once the arguments are known to be right.
const { withCosts } = await import("./docs/costs.ts");
const { chargeDrawing } = await import("./docs/charge-drawing.ts");
const { withLogLines } = await import("./docs/log-lines.ts");

for (const [page, make] of [
  ["operating", withLogLines],
  ["scale", withCosts],
] as const) {
  const path = `${root}docs/${page}.md`;
  writeFileSync(path, make(readFileSync(path, "utf8")));
}

writeFileSync(`${root}docs/pictures/charge.svg`, chargeDrawing());
