import { invalid } from "../../errors.ts";
import type { Db, Statement, Value } from "../port.ts";
import { first, read, rows as readRows } from "../statement.ts";
import { mostRead, mostSkipped, readByPage, windowOf } from "./list-bounds.ts";
import type { Shape } from "./list-definition.ts";
import type { CountedTotal, Statements } from "./list-statements.ts";

/** Rows of a page in the order in which they were read, and whether there are more; `end`, if they may lie behind that row only. */
type Found<R> = { rows: R[]; hasMore: boolean; end: R | undefined };
type Answered<R> = { counted: CountedTotal; found: Found<R> };

type PageReading = { db: Db; values: Record<string, Value>; limit: number; offset: number };
type Sized = Omit<PageReading, "db"> & { size: number };

/** A page that lies near the beginning of its list, and the total, in one trip. */
export async function readFirstPages<R extends object>(
  statements: Statements<R>,
  { db, ...reading }: PageReading,
): Promise<Answered<R>> {
  const { values, limit, offset } = reading;
  const isExact = statements.isCounted && !statements.isWindowed;
  const page = selectPage(statements, { ...reading, size: isExact ? limit : limit + 1 });
  const [[counted = none], rows] = await read<[CountedTotal, R]>(db, [statements.total(values), page]);
  requireInSample(statements, counted, offset);
  const found = toPage(rows, statements, reading);
  const isAll = !counted.is_estimate && offset + found.rows.length >= counted.total;
  if (statements.isCounted && isAll) return { counted, found: { ...found, hasMore: false, end: undefined } };
  return { counted, found: isExact ? { ...found, hasMore: found.rows.length === limit } : found };
}

/** A page that a cursor leads to. Counters are looked at, but nothing is counted. */
export async function readAfterCursor<R extends object>(
  statements: Statements<R>,
  { db, ...reading }: PageReading,
  known: CountedTotal,
): Promise<Answered<R>> {
  const page = selectPage(statements, { ...reading, size: reading.limit + 1 });
  const total = statements.isCounted ? [statements.total(reading.values)] : [];
  const [rows = [], [counted] = []] = (await read<object[]>(db, [page, ...total])) as [R[], CountedTotal[]];
  return { counted: counted ?? known, found: toPage(rows, statements, reading) };
}

/** A page that lies far from the beginning, read from the nearer end of its list where its total tells how far that is. */
export async function readDeepPage<R extends object>(
  statementsOf: (shape: Shape) => Statements<R>,
  shape: Shape,
  { db, ...reading }: PageReading,
): Promise<Answered<R>> {
  const { values, limit, offset } = reading;
  const statements = statementsOf(shape);
  const counted = (await first(db, statements.total(values))) ?? none;
  requireInSample(statements, counted, offset);
  const isExact = !counted.is_estimate;
  const size = isExact ? Math.min(limit, counted.total - offset) : limit + 1;
  if (size <= 0) return { counted, found: { rows: [], hasMore: false, end: undefined } };
  const behind = isExact ? counted.total - offset - size : Number.POSITIVE_INFINITY;
  const skipped = Math.min(offset, behind);
  if (skipped > mostSkipped && !statements.isWindowed && !statements.isSearched) throw newPageTooDeepError();
  const isOnward = behind >= offset;
  const nearer = isOnward ? statements : statementsOf({ ...shape, order: opposite(shape.order) });
  const rows = await readRows(db, selectPage(nearer, { ...reading, offset: skipped, size }));
  const found = toPage(rows, nearer, reading);
  if (!isExact) return { counted, found };
  return isOnward
    ? { counted, found: { ...found, hasMore: behind > 0 } }
    : { counted, found: { rows: found.rows.toReversed(), hasMore: behind > 0, end: undefined } };
}

export function opposite(order: "asc" | "desc"): "asc" | "desc" {
  return order === "asc" ? "desc" : "asc";
}

const none: CountedTotal = { total: 0 };

function selectPage<R>(statements: Statements<R>, { values, limit, offset, size }: Sized): Statement<R> {
  const { counted, compared, each, looksTwice } = statements;
  // A row that is passed over for its page's number is read once more.
  const room = Math.max(0, mostRead - readByPage(limit) - counted);
  const left = room - compared(room) - offset;
  return statements.page({
    ...values,
    size,
    offset,
    room,
    ...windowOf({ left, each, needed: offset + size, looksTwice }),
  });
}

/** The rows of a page, of which one more may have been read, and the one at which the database stopped looking. */
function toPage<R extends object>(
  read: R[],
  { isWindowed }: Statements<R>,
  { limit, offset }: Pick<PageReading, "limit" | "offset">,
): Found<R> {
  const last = read.at(-1);
  const end = isWindowed && last && (last as { is_end?: number }).is_end === 1 ? last : undefined;
  const rows = end ? read.slice(0, -1) : read;
  // A page by its number is whole: the next number would pass over the rows that it lacks.
  if (offset > 0 && rows.length < limit && end) throw newPageTooDeepError();
  const isFull = rows.length > limit;
  return { rows: rows.slice(0, limit), hasMore: isFull || end !== undefined, end: isFull ? undefined : end };
}

/** If a search finds more than it takes at once, numbers lead to pages of what it takes. */
function requireInSample<R>(
  { isSearched }: Statements<R>,
  { total, is_estimate }: CountedTotal,
  offset: number,
) {
  if (isSearched && is_estimate && offset > 0 && offset >= total) throw newPageTooDeepError();
}

function newPageTooDeepError() {
  return invalid([
    {
      path: "page",
      message:
        "is too far from the ends of the list to be read by its number: follow next_page_url, whose cursor leads on",
    },
  ]);
}
