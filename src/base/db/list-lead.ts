import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Filter, Param } from "./filters.ts";
import { mostSorted, mostSortedByCounter } from "./list-bounds.ts";
import {
  type AnyListing,
  and,
  fromEnd,
  indexed,
  isOneOf,
  keyOf,
  type Merged,
  type NamedFilter,
  orderColumns,
  orderOf,
  type Shape,
  scopeOf,
  sifting,
  usedFilters,
} from "./list-definition.ts";
import { splitOf, walkOf } from "./list-walk.ts";

/** Filters whose own index finds their rows, in no order or in another than that of the list. */
export type Leader = { kind: "narrow" | "range" | "facet"; filters: NamedFilter[] };

/** Of the filters that the index of the list's order does not serve, those that leave the fewest rows, as far as one can know. */
export function leaderOf(listing: AnyListing, shape: Shape): Leader | undefined {
  const { by, served } = walkOf(listing, shape);
  const others = usedFilters(listing, shape).filter(({ name }) => !served.includes(name));
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

/** Whether the leader's filter has as few rows as values, so that nothing else has to be read. */
export function isUnique(leader: Leader | undefined): boolean {
  return leader?.filters[0]?.isUnique === true;
}

/** Whether the leader's filters leave few rows, and how many rows it takes to tell. */
export function fewness(listing: AnyListing, leader: Leader, p: Param): { isFew: SQL; compared: number } {
  const counted = leader.kind === "facet" && listing.totals?.(leader.filters.map(({ name }) => name));
  if (counted)
    return {
      isFew: sql`SELECT total <= ${raw(mostSortedByCounter)} AS is_few FROM (${counted(p)})`,
      compared: 0,
    };
  const alone: Shape = {
    names: leader.filters.map(({ name }) => name),
    search: "none",
    sort: "",
    order: "asc",
    start: fromEnd,
    deep: false,
  };
  const { source, where } = ledBy(listing, alone, p, leader);
  const most = Math.floor(mostSorted / readsOf(leader.filters));
  return {
    isFew: sql`SELECT COUNT(*) <= ${raw(most)} AS is_few
      FROM (SELECT 1 FROM ${source} WHERE ${and(where)} LIMIT ${raw(most + 1)})`,
    compared: mostSorted,
  };
}

/** How many rows it takes to find a row by these filters, or to compare one with them. */
export function readsOf(filters: Filter[]): number {
  return filters.reduce((sum, { reads = 1 }) => sum + reads - 1, 1);
}

/** The source of what the leader's index finds, the conditions that it finds it by, and those that are compared row by row. */
export function ledBy(listing: AnyListing, shape: Shape, p: Param, leader: Leader | undefined) {
  const names = leader?.filters.map(({ name }) => name) ?? [];
  const from = leader?.filters.find((filter) => filter.from);
  const whole = scopeOf(listing, p, leader?.kind === "facet");
  const merged = leader?.kind === "range" ? rangeIndex(listing, shape, leader) : undefined;
  const isServed = merged ? merged.column === listing.split?.column : !leader && Boolean(listing.split);
  const { split } = listing;
  const chosen = split && shape.split ? isOneOf({ ...split, values: shape.split }) : undefined;
  const others = usedFilters(listing, shape).filter(({ name }) => !names.includes(name));
  return {
    source: from?.from?.(p) ?? indexed(listing, leader?.filters[0]),
    where: [
      from ? sifting(sql`(${whole})`) : whole,
      ...(merged && !(isServed && chosen) ? [isOneOf(merged)] : []),
      ...(chosen && isServed ? [chosen] : []),
      ...(leader?.filters ?? []).filter((filter) => filter !== from).map(({ where }) => where(p)),
    ],
    compared: [
      ...(chosen && !isServed ? [sql`(${chosen})`] : []),
      ...others.map(({ where }) => sql`(${where(p)})`),
      ...(shape.search !== "none" && listing.search ? [listing.search.holds(p)] : []),
    ],
  };
}

/** The rows that the leader's index finds behind the start, sorted. */
export function sortedRows(
  listing: AnyListing,
  shape: Shape,
  p: Param,
  { leader, limit, offset }: { leader: Leader; limit: SQLWrapper; offset: SQLWrapper },
): SQL {
  const { source, where, compared } = ledBy(listing, shape, p, leader);
  const conditions = [...where, ...[...compared, ...isBehind(listing, shape, p)].map(sifting)];
  return sql`SELECT ${keyOf(listing)} AS on_page FROM ${source} WHERE ${and(conditions)}
    ${orderOf(listing, shape, sifting)} LIMIT ${limit} OFFSET ${offset}`;
}

/** Whether a row lies behind the start. */
export function isBehind(listing: AnyListing, { sort, order, start }: Shape, p: Param): SQL[] {
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

/** What the index of a range has in front of the range's column. */
function rangeIndex(listing: AnyListing, shape: Shape, { filters }: Leader): Merged | undefined {
  const sort = filters[0]?.sorts[0] ?? "";
  const alone: Shape = { ...shape, names: [], search: "none", sort, start: fromEnd };
  return splitOf(listing, alone) ?? (sort === "created_at" ? listing.byTime : undefined);
}

function raw(count: number): SQL {
  return sql.raw(String(count));
}
