type Position = { line: number; column: number };
type Mutant = { location: { start: Position; end: Position }; replacement: string };

/** A mutant as one reads it: the lines that it changes, before and after, without indentation. */
export type Change = { line: string; becomes: string };

/** The outcome of a file's mutants. One that cannot even be loaded counts in no score. */
export type Outcome = { killed: number; timedOut: number; survivors: Change[] };

/** The share of mutants that the tests have noticed, in percent. A file without mutants has all of them. */
export function scoreOf({ killed, timedOut, survivors }: Outcome): number {
  const all = killed + timedOut + survivors.length;
  return all === 0 ? 100 : (100 * (killed + timedOut)) / all;
}

/** Lines and columns are counted from 1. */
export function changeOf(source: string, { location: { start, end }, replacement }: Mutant): Change {
  const lines = source.split("\n").slice(start.line - 1, end.line);
  const before = lines[0]!.slice(0, start.column - 1);
  const after = lines.at(-1)!.slice(end.column - 1);
  return { line: inOneLine(lines.join("\n")), becomes: inOneLine(`${before}${replacement}${after}`) };
}

/** Code without line breaks and indentation. */
export function inOneLine(code: string): string {
  return code.replaceAll(/\s+/g, " ").trim();
}
