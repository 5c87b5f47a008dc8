import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Filter, Param } from "../filters.ts";
import { mostSorted, mostSortedByCounter } from "./list-bounds.ts";
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
  unindexed,
  usedFilters,
} from "./list-definition.ts";
import { chooseWalk, splitFor } from "./list-walk.ts";

/** Filters whose own index finds their rows, in no order or in another than that of the list. */
export type DrivingIndex = { kind: "narrow" | "range" | "facet"; filters: NamedFilter[] };

/** Chooses, of the filters that the index of the list's order does not serve, those that leave the fewest rows, as far as one can know. */
export function chooseDrivingIndex(listing: AnyListing, shape: Shape): DrivingIndex | undefined {
  const { by, covered } = chooseWalk(listing, shape);
  const others = usedFilters(listing, shape).filter(({ name }) => !covered.includes(name));
  const unique = others.find(({ isUnique }) => isUnique);
  if (unique) return { kind: "narrow", filters: [unique] };
  // Few rows are walked then, in order.
  if (by?.kind === "narrow") return undefined;
  const narrow = others.find(({ kind }) => kind === "narrow");
  if (narrow) return { kind: "narrow", filters: [narrow] };
  const facets = others.filter(({ kind }) => kind === "facet");
  const rare = facets.find(({ isRare }) => isRare);
  if (rare) return { kind: "facet", filters: [rare] };
  const ranges = others.filter(({ kind }) => kind === "range");
  const [column] = ranges[0]?.sorts ?? [];
  if (column) return { kind: "range", filters: ranges.filter(({ sorts }) => sorts[0] === column) };
  const [facet] = facets;
  return facet && { kind: "facet", filters: [facet] };
}

/** Whether the driving index's filter has as few rows as values, so that nothing else has to be read. */
export function findsOneRowEach(driving: DrivingIndex | undefined): boolean {
  return driving?.filters[0]?.isUnique === true;
}

/** Whether the driving index's filters leave few rows, and how many rows it takes to tell. */
export function queryIsFew(
  listing: AnyListing,
  driving: DrivingIndex,
  p: Param,
): { isFew: SQL; compared: number } {
  const counted = driving.kind === "facet" && listing.totals?.(driving.filters.map(({ name }) => name));
  if (counted)
    return {
      isFew: sql`SELECT total <= ${raw(mostSortedByCounter)} AS is_few FROM (${counted(p)})`,
      compared: 0,
    };
  const alone: Shape = {
    names: driving.filters.map(({ name }) => name),
    search: "none",
    sort: "",
    order: "asc",
    start: fromEnd,
    deep: false,
  };
  const { source, where } = planDrivingIndex(listing, alone, p, driving);
  const most = Math.floor(mostSorted / countReadsPerRow(driving.filters));
  return {
    isFew: sql`SELECT COUNT(*) <= ${raw(most)} AS is_few
      FROM (SELECT 1 FROM ${source} WHERE ${and(where)} LIMIT ${raw(most + 1)})`,
    compared: mostSorted,
  };
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
  const merged = driving?.kind === "range" ? rangeIndex(listing, shape, driving) : undefined;
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

/** The column in front of the range's own, in the index of a range; undefined where the range's column is the first. */
function rangeIndex(listing: AnyListing, shape: Shape, { filters }: DrivingIndex): Merged | undefined {
  const sort = filters[0]?.sorts[0] ?? "";
  const alone: Shape = { ...shape, names: [], search: "none", sort, start: fromEnd };
  return splitFor(listing, alone) ?? (sort === "created_at" ? listing.byTime : undefined);
}

function raw(count: number): SQL {
  return sql.raw(String(count));
}
