import { asc, desc, type SQL, sql } from "drizzle-orm";
import type { Param } from "../filters.ts";
import { unionAll } from "../sql/union-all.ts";
import {
  type AnyListing,
  and,
  isOneOf,
  keyOf,
  type Merged,
  type NamedFilter,
  orderColumns,
  orderOf,
  type Shape,
  scopeOf,
  secondConditions,
  secondOf,
  unindexed,
  usedFilters,
} from "./list-definition.ts";
import { fromWalk, isRangeOf, type ListWalk } from "./list-walk.ts";

type WalkOptions = {
  walk: ListWalk;
  /** A value that is read of each row beside its key, as `holds`. */
  holds?: SQL;
  /** The most rows. */
  limit: SQL;
  /** The number of them that are passed over. */
  offset?: SQL;
  /** The condition of rows at which the walk begins, where its ranges bound the order of the list. */
  edge?: SQL | undefined;
  /** Whether `present` is a source of the statement (presenceQuery). */
  hasPresence?: boolean;
};

/** The keys of rows in the order of the list, as `on_page`. */
export function queryWalk(
  listing: AnyListing,
  shape: Shape,
  p: Param,
  { walk, holds, limit, offset, edge, hasPresence = false }: WalkOptions,
): SQL {
  const sections = splitIntoSections(listing, shape, p, { walk, edge });
  const read = sections.map((section) =>
    newSection(listing, shape, p, { walk, holds, section, hasPresence }),
  );
  const page = offset ? sql`LIMIT ${limit} OFFSET ${offset}` : sql`LIMIT ${limit}`;
  const [only, ...more] = read;
  if (only && more.length === 0) return sql`${only} ${page}`;
  const bound = offset ? sql`${limit} + ${offset}` : limit;
  const parts = read.map((part) => sql`SELECT * FROM (${part} LIMIT ${bound})`);
  return sql`SELECT * FROM (${unionAll(parts)}) ${page}`;
}

/** The conditions of all rows that the walk finds, of a list that is read from its end. */
export function walkConditions(listing: AnyListing, shape: Shape, p: Param, walk: ListWalk): SQL {
  return and([...sharedConditions(listing, shape, p, walk), ...(walk.by ? [walk.by.where(p)] : [])]);
}

/** A part of the list, before which nothing of the next part comes; the first begins at the start. */
type Section = { where: SQL[]; values?: string[]; isStart?: boolean; isAtEdge?: boolean };

/** The parts of what lies behind the start: an index seeks each of them, and a condition with OR it would not seek at all. */
function splitIntoSections(
  listing: AnyListing,
  shape: Shape,
  p: Param,
  { walk, edge }: Pick<WalkOptions, "walk" | "edge">,
): Section[] {
  const { sort, order, start } = shape;
  const columns = orderColumns(listing, sort);
  if (sort !== listing.split?.name) {
    const isRanged = walk.covered.some((name) => listing.filters[name]?.kind === "range");
    return conditionsBehind(
      columns.map((column, nth) => ({ column, value: p(`cursor_${nth}`) })),
      {
        order,
        start,
        hasNulls: !columns[0]?.notNull && !isRanged,
        edge,
      },
    ).map((where) => ({
      where,
      isStart: start.at !== "end",
      isAtEdge: edge !== undefined && where.includes(edge),
    }));
  }
  const [, ...ties] = columns.map((column, nth) => ({ column, value: p(`cursor_${nth}`) }));
  const values = (walk.merged?.values ?? listing.split.values).toSorted();
  const inOrder = order === "asc" ? values : values.toReversed();
  const at = inOrder.indexOf(start.value ?? "");
  return inOrder.slice(Math.max(0, at)).flatMap((value, nth) => {
    const isStart = at >= 0 && nth === 0;
    const parts = isStart ? conditionsBehind(ties, { order, start, hasNulls: false }) : [edge ? [edge] : []];
    return parts.map((where) => ({
      where,
      values: [value],
      isStart,
      isAtEdge: !isStart && edge !== undefined,
    }));
  });
}

type ColumnAt = { column: SQL | Merged["column"]; value: ReturnType<Param> };

/** Rows behind one with these values: those equal to it in all but the last column first, then those equal in fewer. */
function conditionsBehind(
  placed: ColumnAt[],
  {
    order,
    start,
    hasNulls,
    edge,
  }: Pick<Shape, "order" | "start"> & { hasNulls: boolean; edge?: SQL | undefined },
): SQL[][] {
  const [first, ...others] = placed;
  if (!first) return [];
  const isNull = sql`${first.column} IS NULL`;
  if (start.at === "end") {
    if (!edge || !hasNulls) return [edge ? [edge] : []];
    return order === "asc" ? [[isNull], [edge]] : [[edge], [isNull]];
  }
  const beyond = sql.raw(order === "asc" ? ">" : "<");
  const equal = start.at === "null" ? isNull : sql`${first.column} = ${first.value}`;
  const equals = otherValuesBehind(others, equal, { beyond, isInclusive: start.isInclusive });
  if (start.at === "null")
    return order === "asc" ? [...equals, [edge ?? sql`${first.column} >= ''`]] : equals;
  const orEqual = others.length === 0 && start.isInclusive ? sql.raw("=") : sql``;
  const further = [sql`${first.column} ${beyond}${orEqual} ${first.value}`];
  return order === "desc" && hasNulls ? [...equals, further, [isNull]] : [...equals, further];
}

function otherValuesBehind(
  placed: ColumnAt[],
  equal: SQL,
  { beyond, isInclusive }: { beyond: SQL; isInclusive: boolean },
): SQL[][] {
  const [first, ...others] = placed;
  if (!first) return [];
  const last = others.length === 0;
  const orEqual = last && isInclusive ? sql.raw("=") : sql``;
  const further = [equal, sql`${first.column} ${beyond}${orEqual} ${first.value}`];
  if (last) return [further];
  const deeper = otherValuesBehind(others, sql`${first.column} = ${first.value}`, { beyond, isInclusive });
  return [...deeper.map((where) => [equal, ...where]), further];
}

/** The rows of a part, in order: those of each condition are read by the index, and merged. */
function newSection(
  listing: AnyListing,
  shape: Shape,
  p: Param,
  {
    walk,
    holds,
    section,
    hasPresence,
  }: { walk: ListWalk; holds: SQL | undefined; section: Section; hasPresence: boolean },
): SQL {
  const arms = unionArms(listing, shape, p, { walk, section, hasPresence });
  const common = [...sharedConditions(listing, shape, p, walk, section), ...section.where];
  const also = holds ? sql`, (${holds}) AS holds` : sql``;
  const source = fromWalk(listing, shape, walk);
  const [only, ...more] = arms;
  if (more.length === 0)
    return sql`SELECT ${keyOf(listing)} AS on_page${also} FROM ${source}
      WHERE ${and([...common, ...(only ? [only] : [])])} ${orderOf(listing, shape)}`;
  const columns = orderColumns(listing, shape.sort);
  const named = columns.map((column, nth) => sql`${column} AS ${sql.raw(`by_${nth}`)}`);
  const selects = arms.map(
    (arm) => sql`SELECT ${keyOf(listing)} AS on_page, ${sql.join(named, sql`, `)}${also} FROM ${source}
      WHERE ${and([...common, arm])}`,
  );
  const direction = shape.order === "asc" ? asc : desc;
  const order = columns.map((_, nth) => direction(sql.raw(`by_${nth}`)));
  return sql`${unionAll(selects)} ORDER BY ${sql.join(order, sql`, `)}`;
}

/** The conditions whose rows are merged; none where all rows are in order by themselves. */
function unionArms(
  listing: AnyListing,
  shape: Shape,
  p: Param,
  {
    walk: { by, merged },
    section: { values },
    hasPresence,
  }: { walk: ListWalk; section: Section; hasPresence: boolean },
): SQL[] {
  if (by) return by.arms?.(p) ?? [by.where(p)];
  if (!merged) return [];
  const its = { ...merged, values: values ?? merged.values };
  const isOfSplit = merged.column === listing.split?.column;
  const firsts = isOfSplit ? presentValues(listing, shape, p, { its, hasPresence }) : eachOf(its);
  const second = secondOf(listing, merged);
  if (!second) return firsts;
  const asked = usedFilters(listing, shape).filter(({ name }) => name === second.name);
  const seconds = asked.length > 0 ? asked.map(({ where }) => where(p)) : eachOf(second);
  return firsts.flatMap((first) => seconds.map((its) => and([first, its])));
}

/**
 * The query of the values of the split column that are present, each as a column of its own; undefined where all are taken to be. A value of which no
 * row is in the ranges that are compared row by row finds nothing, so that the walk does not pass over its rows: those without a date come first or last.
 */
export function presenceQuery(listing: AnyListing, shape: Shape, p: Param, { by, merged }: ListWalk) {
  const { split } = listing;
  if (by || !merged || merged.column !== split?.column || presenceRanges(listing, shape).length === 0)
    return undefined;
  const columns = merged.values.map(
    (value) => sql`${presentValue(listing, shape, p, value)} AS ${sql.identifier(value)}`,
  );
  return sql`SELECT ${sql.join(columns, sql`, `)}`;
}

/** The conditions of values of the split column. */
function presentValues(
  listing: AnyListing,
  shape: Shape,
  p: Param,
  { its, hasPresence }: { its: Merged; hasPresence: boolean },
): SQL[] {
  if (presenceRanges(listing, shape).length === 0) return eachOf(its);
  return its.values.map((value) => {
    const present = hasPresence
      ? sql`(SELECT ${sql.identifier(value)} FROM present)`
      : presentValue(listing, shape, p, value);
    return sql`${its.column} = ${present}`;
  });
}

/** A value of the split column, null where no row that has it is in all ranges, each column looked at by itself. */
function presentValue(listing: AnyListing, shape: Shape, p: Param, value: string): SQL {
  const literal = sql.raw(`'${value}'`);
  const present = presenceRanges(listing, shape).map(
    (filters) =>
      sql`EXISTS (SELECT 1 FROM ${listing.table} WHERE ${and([
        scopeOf(listing, p),
        sql`${listing.split?.column} = ${literal}`,
        ...secondConditions(listing, shape, p, listing.split),
        ...filters.map(({ where }) => where(p)),
      ])})`,
  );
  return sql`CASE WHEN ${and(present)} THEN ${literal} END`;
}

/** The ranges that are compared row by row though an index has them by the split column, those of each column together. */
function presenceRanges(listing: AnyListing, shape: Shape): NamedFilter[][] {
  const columns = orderColumns(listing, shape.sort);
  const ranges = usedFilters(listing, shape).filter(
    (filter) =>
      filter.kind === "range" &&
      !isRangeOf(listing, filter, columns) &&
      listing.split?.sorts.includes(filter.sorts[0] ?? ""),
  );
  return [...Map.groupBy(ranges, ({ sorts }) => sorts[0]).values()];
}

function eachOf(merged: Merged): SQL[] {
  return merged.values.map((value) => isOneOf({ ...merged, values: [value] }));
}

/** The scope, and the ranges of the sort's column; the end of one that the start has passed only sifts, since an index takes one end. */
function sharedConditions(
  listing: AnyListing,
  shape: Shape,
  p: Param,
  { by, copy, covered }: ListWalk,
  { isStart = false, isAtEdge = false }: Partial<Section> = {},
): SQL[] {
  const passed = shape.order === "asc" ? "lower" : "upper";
  const ranges = usedFilters(listing, shape).filter(
    ({ name, kind, bounds }) =>
      kind === "range" && covered.includes(name) && !(isAtEdge && bounds === passed),
  );
  return [
    scopeOf(listing, p, by?.kind === "facet"),
    ...(copy ? [copy.where(p)] : []),
    ...ranges.map(({ where, bounds }) => (isStart && bounds === passed ? unindexed(where(p)) : where(p))),
  ];
}
