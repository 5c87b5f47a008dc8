import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Filter, Param } from "../filters.ts";
import { mostSortedByCounter, readToChoose } from "./list-bounds.ts";
import {
  type AnyListing,
  and,
  fromEnd,
  fromIndex,
  isOneOf,
  keyOf,
  type Merged,
  type NamedFilter,
  orderColumns,
  orderOf,
  type Shape,
  scopeOf,
  searchConditions,
  secondConditions,
  unindexed,
  usedFilters,
} from "./list-definition.ts";
import { chooseWalk, splitFor } from "./list-walk.ts";

/** Filters whose own index finds their rows, in no order or in another than that of the list. */
export type DrivingIndex = { kind: "narrow" | "range" | "facet"; filters: NamedFilter[] };

/**
 * The indexes of the filters that the index of the list's order does not serve: first that which leaves the fewest rows, as far as one can know. No
 * other is looked at beside a filter that leaves few.
 */
export function drivingIndexes(listing: AnyListing, shape: Shape): DrivingIndex[] {
  const { by, covered } = chooseWalk(listing, shape);
  const others = usedFilters(listing, shape).filter(({ name }) => !covered.includes(name));
  const unique = others.find(({ isUnique }) => isUnique);
  if (unique) return [{ kind: "narrow", filters: [unique] }];
  // Few rows are walked then, in order.
  if (by?.kind === "narrow") return [];
  const narrow = others.find(({ kind }) => kind === "narrow");
  if (narrow) return [{ kind: "narrow", filters: [narrow] }];
  const facets = others.filter(({ kind }) => kind === "facet").map((one) => facetIndex(one));
  const [rare, common] = [
    facets.filter(({ filters: [one] }) => one?.isRare),
    facets.filter(({ filters: [one] }) => !one?.isRare),
  ];
  const ranges = Map.groupBy(
    others.filter(({ kind }) => kind === "range"),
    ({ sorts }) => sorts[0],
  );
  const byColumn = [...ranges.values()].map((filters): DrivingIndex => ({ kind: "range", filters }));
  const loose =
    shape.sort === "" ? [] : others.filter(({ candidates }) => candidates).map((one) => facetIndex(one));
  return [...rare, ...loose, ...byColumn, ...common].slice(0, mostDriving);
}

/** Whether the driving index's filter has as few rows as values, so that nothing else has to be read. */
export function findsOneRowEach(driving: DrivingIndex | undefined): boolean {
  return driving?.filters[0]?.isUnique === true;
}

/**
 * The number of the first of these indexes that leaves few rows, from 1, as `chosen`; 0 for none; and how many rows it takes to tell, of those that
 * the value `room` says may be read. Rows of one index that are few are counted and then read, compared and sorted within that room.
 */
export function queryFew(
  listing: AnyListing,
  shape: Shape,
  driving: DrivingIndex[],
  p: Param,
): { chosen: SQL; compared: (room: number) => number } {
  const counters = driving.map((one) => {
    if (one.kind !== "facet") return undefined;
    const split = shape.split && mergedIndex(listing, shape, one) ? [listing.split?.name ?? ""] : [];
    return listing.totals?.([...one.filters.map(({ name }) => name), ...split]);
  });
  const uncounted = counters.filter((counter) => !counter).length;
  const each = countReadsPerRow(usedFilters(listing, shape)) + (shape.search === "none" ? 0 : 1);
  const found = driving.map(({ filters }) => (isCounted(filters) ? 1 : countReadsPerRow(filters)));
  const sorting = 1;
  const whole = (nth: number) => found[nth]! + each + sorting;
  const rowsOf = (nth: number) =>
    uncounted > 1
      ? raw(Math.floor(readToChoose / uncounted / found[nth]!))
      : sql`CAST(${p("room")} / ${raw(whole(nth))} AS INTEGER)`;
  const cases = driving.map((one, nth) => {
    const counter = counters[nth];
    const few = counter
      ? sql`(SELECT total FROM (${counter(p)})) <= ${raw(mostSortedByCounter)}`
      : sql`(${isFew(listing, shape, one, rowsOf(nth), p)})`;
    return sql`WHEN ${few} THEN ${raw(nth + 1)}`;
  });
  return {
    chosen: sql`SELECT CASE ${sql.join(cases, sql` `)} ELSE 0 END AS chosen`,
    compared: (room) => {
      if (uncounted !== 1) return uncounted === 0 ? 0 : readToChoose;
      const nth = counters.findIndex((counter) => !counter);
      return Math.ceil((room / whole(nth)) * found[nth]!);
    },
  };
}

/** So many indexes are asked whether they leave few rows. */
const mostDriving = 3;

function facetIndex(filter: NamedFilter): DrivingIndex {
  return { kind: "facet", filters: [filter] };
}

function isFew(
  listing: AnyListing,
  { split, implied }: Shape,
  driving: DrivingIndex,
  rows: SQL,
  p: Param,
): SQL {
  const names = driving.filters.map(({ name }) => name);
  const alone: Shape = {
    names,
    split,
    implied,
    search: "none",
    sort: "",
    order: "asc",
    start: fromEnd,
    deep: false,
  };
  const { source, where } = planDrivingIndex(listing, alone, p, driving);
  const [first] = driving.filters;
  const found = (first?.candidates ?? first?.found)?.(p) ?? sql`SELECT 1 FROM ${source} WHERE ${and(where)}`;
  return sql`SELECT COUNT(*) <= ${rows} FROM (${found} LIMIT ${rows} + 1)`;
}

/** Whether what its source begins with tells how many rows it finds, of which each is one. */
function isCounted([first]: NamedFilter[]): boolean {
  return (first?.candidates ?? first?.found) !== undefined;
}

/** The number of rows that it takes to find a row by these filters, or to compare one with them. */
export function countReadsPerRow(filters: Filter[]): number {
  return filters.reduce((sum, { reads = 1 }) => sum + reads - 1, 1);
}

/** The source of what the driving index finds, the conditions that it finds it by, and those that are compared row by row. */
export function planDrivingIndex(
  listing: AnyListing,
  shape: Shape,
  p: Param,
  driving: DrivingIndex | undefined,
) {
  const names = driving?.filters.map(({ name }) => name) ?? [];
  const from = driving?.filters.find((filter) => filter.from);
  const whole = scopeOf(listing, p, driving?.kind === "facet");
  const merged = driving && mergedIndex(listing, shape, driving);
  const isCovered = merged ? merged.column === listing.split?.column : !driving && Boolean(listing.split);
  const { split } = listing;
  const chosen = split && shape.split ? isOneOf({ ...split, values: shape.split }) : undefined;
  const others = usedFilters(listing, shape).filter(({ name }) => !names.includes(name));
  return {
    source: from?.from?.(p) ?? fromIndex(listing, driving?.filters[0]),
    where: [
      from ? unindexed(sql`(${whole})`) : whole,
      ...(merged && !(isCovered && chosen) ? [isOneOf(merged)] : []),
      ...(chosen && isCovered ? [chosen] : []),
      ...secondConditions(listing, shape, p, merged),
      ...(driving?.filters ?? []).filter((filter) => filter !== from).map(({ where }) => where(p)),
    ],
    compared: [
      ...(chosen && !isCovered ? [sql`(${chosen})`] : []),
      ...others.map(({ where }) => sql`(${where(p)})`),
      ...searchConditions(listing, shape, p),
    ],
  };
}

/** The rows that the driving index finds behind the start, sorted. */
export function querySortedRows(
  listing: AnyListing,
  shape: Shape,
  p: Param,
  { driving, limit, offset }: { driving: DrivingIndex; limit: SQLWrapper; offset: SQLWrapper },
): SQL {
  const { source, where, compared } = planDrivingIndex(listing, shape, p, driving);
  const conditions = [...where, ...[...compared, ...conditionsBehindStart(listing, shape, p)].map(unindexed)];
  return sql`SELECT ${keyOf(listing)} AS on_page FROM ${source} WHERE ${and(conditions)}
    ${orderOf(listing, shape, unindexed)} LIMIT ${limit} OFFSET ${offset}`;
}

/** Whether a row lies behind the start. */
export function conditionsBehindStart(listing: AnyListing, { sort, order, start }: Shape, p: Param): SQL[] {
  if (start.at === "end") return [];
  const columns = orderColumns(listing, sort);
  const [first, ...others] = columns;
  const beyond = sql.raw(`${order === "asc" ? ">" : "<"}${start.isInclusive ? "=" : ""}`);
  const values = columns.map((_, nth) => p(`cursor_${nth}`));
  const tuple = (parts: SQLWrapper[]) => sql`(${sql.join(parts, sql`, `)})`;
  if (start.at === "null") {
    const equal = sql`${first} IS NULL AND ${tuple(others)} ${beyond} ${tuple(values.slice(1))}`;
    return order === "asc" ? [sql`(${equal} OR ${first} IS NOT NULL)`] : [sql`(${equal})`];
  }
  const further = sql`${tuple(columns)} ${beyond} ${tuple(values)}`;
  return order === "desc" && !first?.notNull ? [sql`(${further} OR ${first} IS NULL)`] : [sql`(${further})`];
}

/** The column in front of the driving filter's own, in its index; undefined where the filter's column is the first. */
function mergedIndex(listing: AnyListing, shape: Shape, { kind, filters }: DrivingIndex): Merged | undefined {
  if (filters[0]?.name === listing.split?.second?.name) return listing.split;
  if (kind !== "range") return undefined;
  const sort = filters[0]?.sorts[0] ?? "";
  const alone: Shape = { ...shape, names: [], search: "none", sort, start: fromEnd };
  return splitFor(listing, alone) ?? (sort === "created_at" ? listing.byTime : undefined);
}

function raw(count: number): SQL {
  return sql.raw(String(count));
}
