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

export const isGuess = ({ source }: Assumption): boolean => source.startsWith("guess");
