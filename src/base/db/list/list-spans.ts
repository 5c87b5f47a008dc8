import { type AnyColumn, type SQL, sql } from "drizzle-orm";
import type { Param } from "../filters.ts";
import {
  type AnyListing,
  type NamedFilter,
  orderColumns,
  type Shape,
  type Spans,
  usedFilters,
} from "./list-definition.ts";

/**
 * The query of the first value of the list's date that its ranges leave, as `edge`, that of its own range included; undefined where no other bounds
 * it.
 */
export function edgeQuery(listing: AnyListing, shape: Shape, p: Param): SQL | undefined {
  const { spans } = listing;
  const column = boundedColumn(listing, shape);
  if (!spans || !column) return undefined;
  const its = spans.dates.find((date) => date.column === column);
  const isUp = shape.order === "asc";
  const ranges = usedFilters(listing, shape)
    .filter(({ bounds }) => bounds === (isUp ? "lower" : "upper"))
    .flatMap((filter) => {
      const date = spans.dates.find((one) => one.column.name === filter.sorts[0]);
      return date ? [{ filter, date, its }] : [];
    });
  if (ranges.every(({ date }) => date === its)) return undefined;
  const edges = ranges.map((range) => {
    if (range.date === its)
      return isUp ? sql`${p(range.filter.name)}` : sql`date(${p(range.filter.name)}, '+1 day')`;
    return sql`(${isUp ? lowerEdge(spans, p, range) : upperEdge(spans, p, range)})`;
  });
  const nearest = sql.raw(isUp ? "MAX" : "MIN");
  return sql`SELECT ${edges.length > 1 ? sql`${nearest}(${sql.join(edges, sql`, `)})` : edges[0]} AS edge`;
}

/** The condition of rows at the edge or behind it, whose query is the source of this name. */
export function behindEdge(listing: AnyListing, shape: Shape): SQL {
  const column = boundedColumn(listing, shape);
  return sql`${column} ${sql.raw(shape.order === "asc" ? ">=" : "<")} (SELECT edge FROM edges)`;
}

/** The date, or the time of creation, that the walk of a sort is in the order of. */
function boundedColumn(listing: AnyListing, { sort }: Shape): AnyColumn | undefined {
  const known = [listing.sorts.created_at, ...(listing.spans?.dates ?? []).map(({ column }) => column)];
  return orderColumns(listing, sort).find(
    (column) => known.includes(column) && column !== listing.tiebreaker,
  );
}

type Bounded = { filter: NamedFilter; date: Spans["dates"][number]; its: Spans["dates"][number] | undefined };

/** A month's rows were created on the day that the range's bound less its most days leaves, or later. */
function lowerEdge({ of, month }: Spans, p: Param, { filter, date, its }: Bounded): SQL {
  const day = sql`date(${p(filter.name)}, -${date.to} || ' days')`;
  const created = sql`MAX(${day}, ${month} || '-01')`;
  return sql`SELECT MIN(${its ? sql`date(${created}, ${its.from} || ' days')` : created}) ${of(p)}
    AND ${date.to} IS NOT NULL AND ${day} < date(${month} || '-01', '+1 month')`;
}

/** The edge itself is the day after: rows of a day are before it, whatever their time. */
function upperEdge({ of, month }: Spans, p: Param, { filter, date, its }: Bounded): SQL {
  const day = sql`date(${p(filter.name)}, -${date.from} || ' days')`;
  const created = sql`MIN(${day}, date(${month} || '-01', '+1 month', '-1 day'))`;
  return sql`SELECT MAX(date(${created}, ${its ? sql`${its.to} || ' days', ` : sql``}'+1 day')) ${of(p)}
    AND ${date.from} IS NOT NULL AND ${day} >= ${month} || '-01'`;
}
