// `npm run docs:log`: writes the events of the log, as the code has them, into docs/operating.md.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { logLines } from "../src/base/lib/log-lines.ts";
import { root } from "./paths.ts";

const page = `${root}docs/operating.md`;
const [begin, end] = ["<!-- The events of the log: npm run docs:log -->\n", "<!-- Until here. -->\n"];

/** The page with the events as the code has them. Throws where it has no place for them. */
export function withLogLines(text: string): string {
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error("docs/operating.md has no place for the events of the log");
  const items = logLines.map(
    ({ events, says }) => `- ${events.map((event) => `\`${event}\``).join(", ")}: ${says}`,
  );
  return `${text.slice(0, from + begin.length)}\n${items.join("\n")}\n\n${text.slice(to)}`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  writeFileSync(page, withLogLines(readFileSync(page, "utf8")));
