import { distance } from "fastest-levenshtein";

/** A message about a name, with the one of these that the caller probably meant. */
export function withSuggestion(message: string, names: readonly string[], sent: string): string {
  const nearest = findNearest(names, sent);
  return nearest === undefined ? message : `${message}, did you mean ${nearest}?`;
}

/** Longer names are not misspelt ones, and comparing them takes long. */
const longestName = 64;

/** The path of an API that a caller probably meant, with the names of its parameters: one in which a segment is spelt otherwise. */
export function nearestPath(paths: readonly string[], sent: string): string | undefined {
  const asked = sent.split("/");
  const near = paths.flatMap((path) => {
    const known = path.split("/");
    const others = [...known.keys()].filter((nth) => !/^\{/.test(known[nth]!) && known[nth] !== asked[nth]);
    const [nth = 0, ...further] = others;
    if (known.length !== asked.length || further.length > 0) return [];
    return findNearest([known[nth]!], asked[nth]!)
      ? [{ path, faults: faultsBetween(asked[nth]!, known[nth]!) }]
      : [];
  });
  return near.toSorted((a, b) => a.faults - b.faults)[0]?.path;
}

/** Fields of records that callers look for among the filters, which have another name there. */
const alsoCalled: Record<string, string> = { is_in_dunning: "failed_payment" };

/** The name that a caller probably meant: another one that is spelt nearly so. */
function findNearest(names: readonly string[], sent: string): string | undefined {
  if (sent.length > longestName) return undefined;
  const other = Object.hasOwn(alsoCalled, sent) ? alsoCalled[sent] : undefined;
  if (other !== undefined && names.includes(other)) return other;
  const most = Math.min(Math.ceil(sent.length / 3), lettersOf(sent).length - 1);
  const ranked = names
    .filter((name) => name !== sent)
    .map((name) => ({ name, faults: faultsBetween(sent, name) }))
    .filter(({ faults }) => faults <= most)
    .toSorted((a, b) => a.faults - b.faults);
  return ranked[0]?.name;
}

/** The number of letters that differ. Case and dividers count for nothing, and a name that was cut short at either end for little. */
function faultsBetween(sent: string, name: string): number {
  const [asked, known] = [lettersOf(sent), lettersOf(name)];
  const isCut = asked.length > 2 && known.startsWith(asked) && known !== asked;
  const isTail = asked.length > 4 && name.toLowerCase().endsWith(`_${sent.toLowerCase()}`);
  return isCut || isTail ? 1 : distance(asked, known);
}

function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}
