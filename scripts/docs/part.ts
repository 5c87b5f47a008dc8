/** A page with a part that is made, between its marks. Throws where it has no place for it. */
export function withPart(text: string, name: string, part: string): string {
  const [begin, end] = [`<!-- ${name}: npm run docs -->\n`, "<!-- Until here. -->\n"];
  const from = text.indexOf(begin);
  const to = text.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`The page has no place for: ${name}`);
  return `${text.slice(0, from + begin.length)}\n${part.trim()}\n\n${text.slice(to)}`;
}

/** A table of Markdown, without padding. */
export function table(head: string[], rows: (string | number)[][]): string {
  const line = (cells: (string | number)[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
