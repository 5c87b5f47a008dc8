import type { AnyColumn } from "drizzle-orm";
import type { SelectResultFields } from "drizzle-orm/query-builders/select.types";
import type { AccountSeq } from "../columns.ts";
import type { Db, Statement, Value } from "../port.ts";
import { first } from "../statement.ts";
import { type AnyListing, type Columns, fromEnd, type Listing } from "./list-definition.ts";
import {
  endOfList,
  isPositionOf,
  type NeighbourPositions,
  neighbourPositions,
  newCursorError,
  type Position,
  positionAt,
  positionsOfSearch,
  startAt,
} from "./list-position.ts";
import { rangeReader } from "./list-range.ts";
import { opposite, readAfterCursor, readDeepPage, readFirstPages } from "./list-reading.ts";
import { deriveShape, type Filters, type ListScope } from "./list-shape.ts";
import { type CountedTotal, statementsByShape } from "./list-statements.ts";

export type Page<Sort extends string> = {
  /** The page's number from 1; of a page that a cursor leads to, the number that it has in the walk there. */
  page: number;
  limit: number;
  sort: Sort | "created_at";
  order: "asc" | "desc";
  /** The position at which a cursor says that the page begins, and the total of when the walk was begun. */
  from?: { position: Position; total: number; isEstimate: boolean } | undefined;
};

/**
 * A page of a list. `isEstimate`: as many rows were looked at as may be, so that the total is a lower bound, and a page may be short, or
 * empty, and have a next one all the same.
 */
export type Listed<R> = NeighbourPositions & {
  rows: R[];
  total: number;
  isEstimate: boolean;
  /** The position right after the page's row at this index, or right before it. */
  placeAt: (index: number, reads: Position["reads"]) => Position;
  /** Whether the page was read towards the beginning of the list. */
  isBackward: boolean;
  /** Whether the last page can be read by its number. */
  isNumbered: boolean;
};

/** Whose rows are listed, and the database that has them. */
type ListedFor = { db: Db; account: { seq: AccountSeq } };

/** The values of a list's scope besides the account. */
type Within = Record<string, Value>;

/** A row of a list that `listReader` reads. */
export type RowOfList<Reader extends (...args: never[]) => Promise<{ rows: unknown[] }>> = Awaited<
  ReturnType<Reader>
>["rows"][number];

/**
 * Makes a list of a table readable by page: one trip, its SQL built once for each combination of filters and sort. No page looks at
 * more rows than `mostRead`. Far from the first page it is read from the nearer end, so the last page costs as little as the first.
 * `first` reads the newest row alone, and counts nothing; `newest` is the statement of so many, to be read in one trip with others;
 * `range` makes the statements that read all rows in the order of a key, piece by piece.
 */
export function listReader<Shown extends Columns, Sort extends string>(definition: Listing<Shown, Sort>) {
  type R = SelectResultFields<Shown>;
  const listing = definition as unknown as AnyListing;
  const statementsOf = statementsByShape<R & object>(listing);

  const readPage = async (
    { db, account }: ListedFor,
    asked: Page<Sort>,
    filters: Filters = {},
    within: Within = {},
  ): Promise<Listed<R>> => {
    const { page, limit, sort, from } = asked;
    const scope = { ...within, account_seq: account.seq };
    const isBackward = from?.position.reads === "back";
    const offset = from ? 0 : (page - 1) * limit;
    const { shape, values } = deriveShape(listing, {
      ...{ scope, filters, sort, start: from ? startAt(from.position) : fromEnd },
      order: isBackward ? opposite(asked.order) : asked.order,
      sample: from?.position.sample,
      deep: offset > deepOffset,
    });
    if (from && !isPositionOf(listing, { sort, values }, from.position)) throw newCursorError();
    if (shape.implied?.length === 0) return emptyList;
    const reading = { db, values: { ...values, ...cursorValues(from?.position) }, limit, offset };
    const statements = statementsOf(shape);
    const { counted, found } = from
      ? await readAfterCursor(statements, reading, {
          total: from.total,
          is_estimate: Number(from.isEstimate),
        })
      : shape.deep
        ? await readDeepPage(statementsOf, shape, reading)
        : await readFirstPages(statements, reading);
    const rows = isBackward ? found.rows.toReversed() : found.rows;
    const beside = neighbourPositions({ listing, sort, from: from?.position, page }, { ...found, rows });
    const sample = from ? from.position.sample : newSample(counted);
    return {
      ...(sample ? positionsOfSearch(sample, from?.position, beside) : beside),
      rows,
      total: Math.max(counted.total, counted.is_estimate && rows.length > 0 ? offset + rows.length : 0),
      isEstimate: Boolean(counted.is_estimate) || found.end !== undefined,
      placeAt: (index, reads) => ({
        ...positionAt(listing, sort, rows[index] as object, reads),
        ...(sample && { sample }),
      }),
      isBackward,
      isNumbered: sample !== undefined || !(statements.isWindowed || counted.is_estimate),
    };
  };

  const newestOf = (scope: ListScope, filters: Filters, limit = 1): Statement<R> => {
    const newest = { sort: "created_at", order: "desc", start: fromEnd, deep: false } as const;
    const { shape, values } = deriveShape(listing, { scope, filters, ...newest });
    const { page, isWindowed } = statementsOf(shape);
    if (isWindowed) throw new Error("the newest row is only read where an index leads to it");
    return page({ ...values, size: limit, offset: 0, window: 0, near: 0 });
  };

  const readFirst = ({ db, account }: ListedFor, filters: Filters): Promise<R | undefined> =>
    first(db, newestOf({ account_seq: account.seq }, filters));

  return Object.assign(readPage, {
    first: readFirst,
    newest: newestOf,
    range: (key: AnyColumn) => rangeReader<R>(listing, key),
  });
}

const deepOffset = 100;

/** The answer where the filters contradict each other. */
const emptyList = {
  ...{
    rows: [],
    total: 0,
    isEstimate: false,
    next: null,
    previous: null,
    isBackward: false,
    isNumbered: true,
  },
  placeAt: () => endOfList,
};

/** The sample of a search whose sources have more. */
function newSample({ is_estimate, own, customers, newest }: CountedTotal): Position["sample"] {
  if (!is_estimate || own === undefined || customers === undefined || newest === undefined) return undefined;
  return { bounds: { own, customers, newest }, isBeside: false };
}

/** The values of a position, by the names that the SQL has for them. */
function cursorValues(position: Position | undefined): Record<string, Value> {
  return Object.fromEntries((position?.key ?? []).map((value, nth) => [`cursor_${nth}`, value]));
}
