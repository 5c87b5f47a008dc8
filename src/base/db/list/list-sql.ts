import { type SQL, sql } from "drizzle-orm";
import type { Param } from "../filters.ts";
import { unionAll } from "../sql/union-all.ts";
import { writeSql } from "../sql/write-sql.ts";
import { mostCounted, mostCountedAlone, mostCountedUnread, mostMonths } from "./list-bounds.ts";
import { type AnyListing, and, fromEnd, orderOf, type Shape, usedFilters } from "./list-definition.ts";
import {
  countReadsPerRow,
  type DrivingIndex,
  drivingIndexes,
  findsOneRowEach,
  planDrivingIndex,
  queryFew,
  querySortedRows,
} from "./list-driving-index.ts";
import { joinRows, shownColumns } from "./list-joined.ts";
import { behindEdge, edgeQuery } from "./list-spans.ts";
import { chooseWalk, fromWalk, isStraight, type ListWalk, residualConditions } from "./list-walk.ts";
import { presenceQuery, queryWalk, walkConditions } from "./list-walk-sql.ts";
import { isSearched, searchedPage, searchedTotal } from "./search-sql.ts";

/** A statement of a page, and how it is bounded. */
export type BoundedQuery = {
  query: SQL;
  /** Whether rows are compared one by one, so that a page may end before it is full; its last row then says where. */
  isWindowed: boolean;
  /** Whether an eighth of the rows is looked through first. */
  looksTwice: boolean;
  /** The number of rows that it takes to choose an index, and to compare a row of the other. */
  compared: (room: number) => number;
  each: number;
};

/**
 * The statement of a page. It needs the values `size` and `offset`. Where the index of the list's order does not find what is asked for
 * by itself, it is looked through for as many rows as the value `window` says, `near` of them twice, unless the index of another filter leaves few rows.
 */
export function pageQuery(listing: AnyListing, shape: Shape, p: Param): BoundedQuery {
  if (isSearched(listing, shape)) return { query: searchedPage(listing, shape, p), ...unbound };
  const walk = chooseWalk(listing, shape);
  const driving = drivingIndexes(listing, shape);
  const page = { size: sql`${p("size")}`, offset: sql`${p("offset")}` };
  const [first] = driving;
  if (first && findsOneRowEach(first)) {
    const rows = querySortedRows(listing, shape, p, {
      driving: first,
      limit: page.size,
      offset: page.offset,
    });
    return { query: joinRows(listing, shape, p, rows), ...unbound };
  }
  const residual = residualConditions(listing, shape, p, walk);
  if (residual.length > 0) return windowedPage(listing, shape, p, { walk, driving, holds: and(residual) });
  if (isStraight(listing, shape, walk) && !(shape.deep && listing.joins))
    return { query: straightPage(listing, shape, p, walk), ...unbound };
  const rows = queryWalk(listing, shape, p, { walk, limit: page.size, offset: page.offset });
  return { query: joinRows(listing, shape, p, rows), ...unbound };
}

/** The query of a total: of counters, else of at most so many rows; `is_estimate` where there are more. */
export function totalQuery(listing: AnyListing, shape: Shape, p: Param): SQL {
  if (isSearched(listing, shape)) return searchedTotal(listing, shape, p);
  const counted = sumOfCounters(listing, shape);
  if (counted) return counted(p);
  const isUnread = findUnread(listing, shape) !== undefined;
  const reads = isUnread
    ? 1
    : countReadsPerRow(usedFilters(listing, shape)) + (shape.search === "none" ? 0 : 1);
  const most = sql.raw(String(Math.floor(countedRows(listing, shape) / reads)));
  return sql`SELECT MIN(COALESCE(SUM(holds), 0), ${most}) AS total, COUNT(*) > ${most} AS is_estimate
    FROM (${countQuery(listing, shape, p, sql`${most} + 1`)})`;
}

/** The number of rows that a total is counted up to; none where counters tell it. */
export function countedRows(listing: AnyListing, shape: Shape): number {
  if (isSearched(listing, shape) || isCounted(listing, shape)) return 0;
  const walk = chooseWalk(listing, shape);
  const chosen = usedFilters(listing, shape).filter(({ isAlways }) => !isAlways);
  const [one, ...more] = chosen;
  if (more.length > 0 || shape.search !== "none") return mostCounted;
  const isSplitCovered = listing.split !== undefined && walk.covered.includes(listing.split.name);
  if (!one) return isSplitCovered ? mostCountedAlone : mostCounted;
  if (shape.split) return mostCounted;
  if (one.found) return mostCountedUnread;
  return one.kind === "unindexed" || walk.covered.includes(one.name) ? mostCountedAlone : mostCounted;
}

/** Whether counters tell the total. */
export function isCounted(listing: AnyListing, shape: Shape): boolean {
  return sumOfCounters(listing, shape) !== undefined;
}

const unbound = { isWindowed: false, looksTwice: false, compared: () => 0, each: 1 };

/** The rows that a total is counted of, of the index that leaves the fewest, as far as one can know; whether each of them `holds`. */
function countQuery(listing: AnyListing, shape: Shape, p: Param, limit: SQL): SQL {
  const found = findUnread(listing, shape);
  if (found) return sql`SELECT 1 AS holds FROM (${found(p)}) LIMIT ${limit}`;
  const [driving] = drivingIndexes(listing, { ...shape, sort: "" });
  const inTime: Shape = { ...shape, sort: "created_at", start: fromEnd };
  const walk = chooseWalk(listing, inTime);
  if (
    walk.by &&
    driving?.kind === "range" &&
    driving.filters.every(({ sorts }) => sorts.includes("created_at"))
  ) {
    const residual = residualConditions(listing, inTime, p, walk);
    return queryWalk(listing, inTime, p, { walk, holds: whereAll(residual), limit });
  }
  const { source, where, compared } = planDrivingIndex(listing, shape, p, driving);
  return sql`SELECT (${whereAll(compared)}) AS holds FROM ${source} WHERE ${and(where)} LIMIT ${limit}`;
}

/** The rows of the only filter, where its source begins with as many as it finds. */
function findUnread(listing: AnyListing, shape: Shape) {
  const [one, ...more] = usedFilters(listing, shape);
  return more.length === 0 && !shape.split && shape.search === "none" ? one?.found : undefined;
}

function whereAll(conditions: SQL[]): SQL {
  return conditions.length > 0 ? and(conditions) : sql`1`;
}

function sumOfCounters({ totals, split }: AnyListing, { names, split: asked, search }: Shape) {
  if (search !== "none") return undefined;
  return totals?.(asked ? [...names, split?.name ?? ""] : names);
}

/** A page straight from the index of the sort. */
function straightPage(listing: AnyListing, shape: Shape, p: Param, walk: ListWalk): SQL {
  return sql`SELECT ${shownColumns(listing)} FROM ${fromWalk(listing, shape, walk)} ${listing.joins ?? sql``}
    WHERE ${walkConditions(listing, shape, p, walk)} ${orderOf(listing, shape)} LIMIT ${p("size")} OFFSET ${p("offset")}`;
}

/**
 * The rows of a page that hold, of so many in the order of the list. An eighth of them is looked through first, as far as the page is long. Where
 * that does not fill it, all are read once, since nothing but the last of them says where the next page begins.
 */
function windowedPage(
  listing: AnyListing,
  shape: Shape,
  p: Param,
  { walk, driving, holds }: { walk: ListWalk; driving: DrivingIndex[]; holds: SQL },
): BoundedQuery {
  const few = driving.length > 0 ? queryFew(listing, shape, driving, p) : undefined;
  const edges = walk.by ? undefined : edgeQuery(listing, shape, p);
  const presence = presenceQuery(listing, shape, p, walk);
  const isFew = few ? sql`(SELECT chosen FROM few)` : sql`0`;
  const queryWindow = (isLeftOut: SQL, size: SQL) =>
    queryWalk(listing, shape, p, {
      ...{ walk, holds, edge: edges && behindEdge(listing, shape), hasPresence: presence !== undefined },
      limit: sql`CASE WHEN ${isLeftOut} THEN 0 ELSE ${size} END`,
    });
  const near = queryWindow(isFew, sql`${p("near")}`);
  const looksTwice = writeSql(near).sql.length < mostWrittenTwice;
  const all = queryWindow(
    looksTwice ? sql`${isFew} OR (SELECT is_full FROM near)` : isFew,
    sql`${p("window")}`,
  );
  const page = sql`LIMIT ${p("size")} OFFSET ${p("offset")}`;
  const nearSource = sql`near AS MATERIALIZED (SELECT json_group_array(on_page) AS held, COUNT(*) = ${p("size")} AS is_full
      FROM (SELECT on_page FROM (${near}) WHERE holds ${page}))`;
  const sources = [
    ...(few ? [sql`few AS MATERIALIZED (${few.chosen})`] : []),
    ...(edges ? [sql`edges AS MATERIALIZED (${edges})`] : []),
    ...(presence ? [sql`present AS MATERIALIZED (${presence})`] : []),
    ...(looksTwice ? [nearSource] : []),
    sql`walked AS MATERIALIZED (SELECT json_group_array(on_page) FILTER (WHERE holds) AS held,
      json_group_array(on_page) AS passed, COUNT(*) = ${p("window")} AS has_end FROM (${all}))`,
  ];
  const rows = [
    ...(looksTwice
      ? [sql`SELECT value AS on_page, 0 AS is_end FROM near, json_each(near.held) WHERE is_full`]
      : []),
    sql`SELECT value AS on_page, 0 AS is_end FROM walked, json_each(walked.held)
      WHERE json_array_length(held) > ${p("offset")} ${page}`,
    sql`SELECT passed ->> '$[#-1]' AS on_page, 1 AS is_end FROM walked WHERE has_end`,
  ];
  for (const [nth, one] of driving.entries()) {
    const limit = sql`CASE WHEN ${isFew} = ${sql.raw(String(nth + 1))} THEN ${p("size")} ELSE 0 END`;
    const sorted = querySortedRows(listing, shape, p, { driving: one, limit, offset: sql`${p("offset")}` });
    rows.push(sql`SELECT on_page, 0 AS is_end FROM (${sorted})`);
  }
  const parts = rows.map((part) => sql`SELECT * FROM (${part})`);
  const found = sql`SELECT * FROM (${unionAll(parts)}) LIMIT ${p("size")}`;
  const compared = usedFilters(listing, shape).filter(({ name }) => !walk.covered.includes(name));
  return {
    query: sql`WITH ${sql.join(sources, sql`, `)} ${joinRows(listing, shape, p, found, true)}`,
    isWindowed: true,
    looksTwice,
    compared: (room) => (few?.compared(room) ?? 0) + (edges ? mostMonths : 0),
    each: countReadsPerRow(compared) + (shape.search === "none" ? 0 : 1),
  };
}

/** The length of a walk's SQL from which on it is written once only: D1 takes 100 KB for a statement. */
const mostWrittenTwice = 40_000;
