import { invalid } from "../../errors.ts";
import type { Value } from "../port.ts";
import { type AnyListing, orderColumns, type WalkStart } from "./list-definition.ts";
import type { Sample } from "./search.ts";

/**
 * A position in a list, between two of its rows, and which way it is read from there: behind the row with these values of the list's order,
 * or before it; with `isInclusive`, the row itself too. Without values, from the end of the list. Of a search that finds more than it takes at
 * once, it lies in the sample, or in what the list has beside it.
 */
export type Position = {
  reads: "on" | "back";
  key: Value[];
  isInclusive: boolean;
  sample?: { bounds: Sample; isBeside: boolean };
};

/** The positions at which the pages before and after a page begin; null where there is none. */
export type NeighbourPositions = { next: Position | null; previous: Position | null };

type Read = { rows: unknown[]; hasMore: boolean; end: unknown };

/** The places beside a page, of its rows in the order of the list. */
export function neighbourPositions(
  {
    listing,
    sort,
    from,
    page,
  }: { listing: AnyListing; sort: string; from: Position | undefined; page: number },
  { rows, hasMore, end }: Read,
): NeighbourPositions {
  const at = (row: unknown, reads: Position["reads"]) => positionAt(listing, sort, row as object, reads);
  const [first, last] = [rows[0], rows.at(-1)];
  if (from?.reads === "back") {
    const previous = hasMore ? at(end ?? first, "back") : null;
    if (from.key.length === 0) return { previous, next: null };
    return { previous, next: last ? at(last, "on") : reversePosition(from) };
  }
  const next = hasMore ? at(end ?? last, "on") : null;
  if (!from && page === 1) return { previous: null, next };
  return { previous: first ? at(first, "back") : from ? reversePosition(from) : endOfList, next };
}

/** The places beside a page of a search: behind its sample comes what the list has beside that, and before this the end of the sample. */
export function positionsOfSearch(
  sample: NonNullable<Position["sample"]>,
  from: Position | undefined,
  { next, previous }: NeighbourPositions,
): NeighbourPositions {
  const within = (position: Position | null) =>
    position && position !== endOfList ? { ...position, sample } : position;
  const across = (reads: Position["reads"]): Position => ({
    ...{ reads, key: [], isInclusive: false },
    sample: { ...sample, isBeside: !sample.isBeside },
  });
  if (!sample.isBeside) return { next: within(next) ?? across("on"), previous: within(previous) };
  const isFirst = from?.reads === "on" && from.key.length === 0;
  return { next: within(next), previous: isFirst ? across("back") : (within(previous) ?? across("back")) };
}

/** The end of a list, from which its last page is read. */
export const endOfList: Position = { reads: "back", key: [], isInclusive: false };

/** The position right after a row, or right before it. */
export function positionAt(
  listing: AnyListing,
  sort: string,
  row: object,
  reads: Position["reads"],
): Position {
  const values = row as Record<string, Value>;
  return {
    reads,
    key: orderColumns(listing, sort).map(({ name }) => values[name] ?? null),
    isInclusive: false,
  };
}

/** The beginning of the walk of a page from this position. */
export function startAt({ key, isInclusive }: Position): WalkStart {
  const [first] = key;
  if (first === undefined) return { at: "end", isInclusive };
  return first === null ? { at: "null", isInclusive } : { at: "value", isInclusive, value: String(first) };
}

/** Whether a list in this order, narrowed by these values of its filters, can have such a position: a cursor may say anything. */
export function isPositionOf(
  listing: AnyListing,
  { sort, values }: { sort: string; values: Record<string, Value> },
  { key, reads, isInclusive, sample }: Position,
): boolean {
  const [first] = key;
  if (first === undefined) return (reads === "back" || sample?.isBeside === true) && !isInclusive;
  const columns = orderColumns(listing, sort);
  const isOfTypes =
    key.length === columns.length &&
    columns.every(({ dataType, notNull }, nth) =>
      key[nth] === null ? nth === 0 && !notNull : typeof key[nth] === dataType,
    );
  if (!isOfTypes) return false;
  if (sort === listing.split?.name && !allowedValues(listing.split, values).includes(first)) return false;
  return Object.entries(listing.filters).every(([name, { bounds, sorts }]) => {
    const end = values[name];
    const nth = columns.indexOf(listing.sorts[sorts[0] as "created_at"]);
    if (!bounds || nth < 0 || end === undefined || end === null) return true;
    const at = key[nth] ?? null;
    return at !== null && (bounds === "lower" ? at >= end : at <= end);
  });
}

export function newCursorError() {
  return invalid([{ path: "cursor", message: foreignCursor }]);
}

/** The position with its reading turned round: back instead of on, on instead of back. */
function reversePosition({ reads, key, isInclusive }: Position): Position {
  return { reads: reads === "on" ? "back" : "on", key, isInclusive: !isInclusive };
}

/** The values of the split column that the list has. */
function allowedValues(
  { name, values: all }: { name: string; values: readonly string[] },
  values: Record<string, Value>,
) {
  return (values[name] ? JSON.parse(String(values[name])) : all) as unknown[];
}

/** The message about a cursor that does not lead into the list that is asked for. */
export const foreignCursor = "must be that of an answer to the same query";
