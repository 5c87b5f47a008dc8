/** Where a statement compares a column with itself: what was meant to tell accounts apart tells nothing. */
export function selfComparisons(sql: string): string[] {
  return sql.replaceAll(/--.*/g, "").replaceAll(/\s+/g, " ").match(pattern) ?? [];
}

const word = String.raw`(?:"\w+"|\b[A-Za-z_]\w*)`;
const column = String.raw`(?:${word}\.)?${word}`;
/** A column, an operator, and the same column again; not where more is said of the latter, as in `count = count + 1`. */
const pattern = new RegExp(
  String.raw`(?<![.\w"])(${column}) ?(?:=|==|<>|!=|\bIS NOT\b|\bIS\b) ?\1(?![.\w"]| ?(?:[-+*/%]|\|\|))`,
  "gi",
);
