import type { Listed } from "../../../base/db/list/listing.ts";
import { mostBytesOfUnit } from "../../../base/lib/text.ts";
import { type JsonText, textOfRecord, writeRecords } from "../json-text.ts";

/**
 * Bytes of a page's records as JSON. A tool's result may hold them as a text within JSON, where each quotation mark and backslash takes two
 * bytes: it has less than 4 MiB then.
 */
export const mostPageBytes = 2_000_000;

/** A page as far as it fits, what is nearest to where it was read from first, and the places beside it. One record always fits. */
export function fittingPage<Row, Item>(
  { next, previous, isBackward, placeAt }: Listed<Row>,
  items: (Item | JsonText<Item>)[],
): { data: JsonText<Item[]>; size: number } & Pick<Listed<Row>, "next" | "previous"> {
  const all = writeWhole(items);
  if (all) return { data: all, next, previous, size: items.length };
  const size = countFitting(isBackward ? items.toReversed() : items);
  return isBackward
    ? { data: writeRecords(items.slice(-size)), next, previous: placeAt(items.length - size, "back"), size }
    : { data: writeRecords(items.slice(0, size)), next: placeAt(size - 1, "on"), previous, size };
}

/** The records that fit, beginning with the first, and how many they are. */
export function fittingRecords<Item>(items: Item[]): { data: JsonText<Item[]>; size: number } {
  const all = writeWhole(items);
  if (all) return { data: all, size: items.length };
  const size = countFitting(items);
  return { data: writeRecords(items.slice(0, size)), size };
}

/** All of the records if they fit, which they nearly always do: written once, and measured by that. */
function writeWhole<Item>(items: (Item | JsonText<Item>)[]): JsonText<Item[]> | undefined {
  const all = writeRecords(items);
  const fits =
    textOfRecord(all).length * mostBytesOfUnit <= mostPageBytes || countFitting(items) === items.length;
  return fits ? all : undefined;
}

function countFitting(items: unknown[]): number {
  let left = mostPageBytes;
  const encoder = new TextEncoder();
  const over = items.findIndex((item) => {
    left -= encoder.encode(textOfRecord(item)).byteLength + 1;
    return left < 0;
  });
  return over < 0 ? items.length : Math.max(1, over);
}
