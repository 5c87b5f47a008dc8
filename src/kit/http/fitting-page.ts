import type { Listed } from "../../base/db/listing.ts";

/**
 * Bytes of a page's records as JSON. A tool's result may hold them as a text within JSON, where each quotation mark and backslash takes two
 * bytes: it has less than 4 MiB then.
 */
export const mostPageBytes = 2_000_000;

/** A page as far as it fits, what is nearest to where it was read from first, and the places beside it. One record always fits. */
export function fittingPage<Row, Item>(
  { next, previous, isBackward, placeAt }: Listed<Row>,
  items: Item[],
): { data: Item[] } & Pick<Listed<Row>, "next" | "previous"> {
  const size = fittingCount(isBackward ? items.toReversed() : items);
  if (size === items.length) return { data: items, next, previous };
  return isBackward
    ? { data: items.slice(-size), next, previous: placeAt(items.length - size, "back") }
    : { data: items.slice(0, size), next: placeAt(size - 1, "on"), previous };
}

/** How many of the records fit, beginning with the first. */
export function fittingCount(items: unknown[]): number {
  let left = mostPageBytes;
  const past = items.findIndex((item) => {
    left -= lengthOf(item) * mostBytesOfUnit;
    return left < 0;
  });
  if (past < 0) return items.length;
  left = mostPageBytes;
  const encoder = new TextEncoder();
  const over = items.findIndex((item) => {
    left -= encoder.encode(JSON.stringify(item)).byteLength + 1;
    return left < 0;
  });
  return over < 0 ? items.length : Math.max(1, over);
}

/** A character that JSON escapes takes six bytes. */
const mostBytesOfUnit = 6;
/** A number, a flag or null, and what stands around a value. */
const mostOfPlainValue = 8;

/** At least a sixth of the bytes of a value as JSON; it costs less than to write it. */
function lengthOf(value: unknown): number {
  if (typeof value === "string") return value.length + 1;
  if (typeof value !== "object" || value === null) return mostOfPlainValue;
  let length = 1;
  for (const name in value) length += name.length + 1 + lengthOf((value as Record<string, unknown>)[name]);
  return length;
}
