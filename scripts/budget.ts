// `npm run budget`: refuses a script that grows, or requests that execute more than they did.
import { readFileSync, writeFileSync } from "node:fs";
import { commandLine } from "./command-line.ts";
import { root } from "./paths.ts";

const { values } = commandLine({
  usage: `Usage: npm run budget [-- --write]

Builds the Worker, and counts its size with gzip, what of it a start compiles, and what each of the hot requests executes
(bench/README.md#the-budget). Fails if one of them is more than 5 % above what bench/executed/figures.json says.

  --write  writes the figures there, after a change that is worth them, or one that lowers them`,
  options: { write: { type: "boolean" } },
});

await import("./prepare.mjs");
const { buildScript } = await import("../bench/build.ts");
const { gzipKilobytes, kilobytesAtStart } = await import("../bench/bundle.ts");
const { countExecuted } = await import("../bench/executed/executed.ts");

type Figures = Record<string, Record<string, number>>;

const script = buildScript();
const figures: Figures = {
  script: {
    kib_gzip: Math.round(gzipKilobytes(script)),
    kib_at_start: Math.round(kilobytesAtStart(script)),
  },
  ...(await countExecuted(script)),
};
const path = `${root}bench/executed/figures.json`;
if (values.write) writeFileSync(path, `${JSON.stringify(figures, null, 2)}\n`);
const known: Figures = JSON.parse(readFileSync(path, "utf8"));

const allowed = 1.05;
for (const [name, its] of Object.entries(figures))
  for (const [unit, figure] of Object.entries(its)) {
    const before = known[name]?.[unit] ?? 0;
    const isOver = figure > before * allowed;
    const change = (100 * (figure / before - 1)).toFixed(1);
    console.log(`${isOver ? "OVER  " : "      "}${name}, ${unit}: ${figure} (${before}, ${change} %)`);
    if (isOver) process.exitCode = 1;
  }
