/** A row of docs/shopify-assumptions.md. */
export type Assumption = { area: string; text: string; source: string };

/** The rows of the table, in its order. */
export function assumptionsIn(markdown: string): Assumption[] {
  const rows = markdown.split("\n").filter((line) => line.startsWith("| "));
  return rows.slice(2).map((row) => {
    const [area = "", text = "", source = ""] = row
      .split("|")
      .slice(1)
      .map((cell) => cell.trim());
    return { area, text, source };
  });
}

/** Whether any part of it is a guess: a row may have a source for the rest. */
export function isGuess({ source }: Assumption): boolean {
  return /\bguess\b/.test(source);
}
