import { distance } from "fastest-levenshtein";

/** A message about a name, with the one of these that the caller probably meant. */
export function withSuggestion(message: string, names: readonly string[], sent: string): string {
  const nearest = findNearest(names, sent);
  return nearest === undefined ? message : `${message}, did you mean ${nearest}?`;
}

/** Longer names are not misspelt ones, and comparing them takes long. */
const longestName = 64;

/** The name that a caller probably meant: another one that is spelt nearly so. */
function findNearest(names: readonly string[], sent: string): string | undefined {
  if (sent.length > longestName) return undefined;
  const most = Math.min(Math.ceil(sent.length / 3), lettersOf(sent).length - 1);
  const ranked = names
    .filter((name) => name !== sent)
    .map((name) => ({ name, faults: faultsBetween(sent, name) }))
    .filter(({ faults }) => faults <= most)
    .toSorted((a, b) => a.faults - b.faults);
  return ranked[0]?.name;
}

/** The number of letters that differ. Case and dividers count for nothing, and a name that was cut short for little. */
function faultsBetween(sent: string, name: string): number {
  const [asked, known] = [lettersOf(sent), lettersOf(name)];
  const isCut = asked.length > 2 && known.startsWith(asked) && known !== asked;
  return isCut ? 1 : distance(asked, known);
}

function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}
