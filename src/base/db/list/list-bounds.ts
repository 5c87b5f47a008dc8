/**
 * The number of rows that a page of a list may look at, whatever it is asked for: its own rows with what is joined to them, those that are counted,
 * and those that are passed over. `test/scale/bounds.test.ts` walks every list with it.
 */
export const mostRead = 5_000;

/** A total is counted up to this number. */
export const mostCounted = 1_000;

/** A total is counted up to this number where an index leads straight to the page, which is to cost little more than its rows. */
export const mostCountedAlone = 60;

/** The total of a filter whose rows are counted without being read is counted up to this number, so that more of them can be sorted. */
export const mostCountedUnread = 400;

/** So many rows are read to choose among several indexes. */
export const readToChoose = 1_500;

/** So many rows are sorted where a counter says how many a filter finds, so that they need not be counted. */
export const mostSortedByCounter = 2_000;

/** The months of an account whose spans are looked at, for each date of a list that may be narrowed: of five years, for three. */
export const mostMonths = 180;

/** A page by its number lies at most so many rows from the nearer end. */
export const mostSkipped = 3_500;

/** The most rows that are read for the rows of a page. */
export function readByPage(limit: number): number {
  return readBesides + readByRow * (limit + 1);
}

/**
 * The number of rows that are looked through for a page, of what is left to read, and how many of them first, until the page is full: where they do
 * not fill it, they are read twice. None are looked through first where they are fewer than those that the page needs. `each` is what it takes to
 * compare one.
 */
export function windowOf({
  left,
  each,
  needed,
  looksTwice,
}: {
  left: number;
  each: number;
  needed: number;
  looksTwice: boolean;
}): { window: number; near: number } {
  const near = Math.floor(left / (each * (1 + windowByNear)));
  if (!looksTwice || near < needed) return { near: 0, window: Math.max(1, Math.floor(left / each)) };
  return { near, window: near * windowByNear };
}

/** The window is so many times what is looked through first. */
const windowByNear = 8;

/** The most rows that are read for one row of a page, with the records that it shows. */
const readByRow = 8;

/** The most rows that a request reads besides its page: its credentials, the record in its path, counters, one of each value that is merged. */
const readBesides = 250;
