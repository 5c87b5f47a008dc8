import { asc, desc, type SQL, sql } from "drizzle-orm";
import type { Param } from "./filters.ts";
import {
  type AnyListing,
  and,
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
import { united } from "./united.ts";

/** How the rows of a list are read in its order: by which index, and what is left to be compared row by row. */
export type Walk = {
  /** The filter whose index is walked; that of the sort where there is none. */
  by?: NamedFilter | undefined;
  /** What the index has in front of the sort's column. */
  merged?: Merged | undefined;
  /** The names of the filters that need not be compared: the index finds nothing else. */
  served: string[];
};

export function walkOf(listing: AnyListing, shape: Shape): Walk {
  const inOrder = usedFilters(listing, shape).filter(({ sorts }) => sorts.includes(shape.sort));
  const ranges = inOrder.filter(({ kind }) => kind === "range").map(({ name }) => name);
  const facets = inOrder.filter(({ kind }) => kind === "facet");
  const bySplit = splitOf(listing, shape);
  const by =
    inOrder.find(({ kind }) => kind === "narrow") ??
    facets.find(({ isRare }) => isRare) ??
    (bySplit ? undefined : facets[0]);
  if (by) return { by, served: [by.name, ...ranges] };
  if (bySplit) return { merged: bySplit, served: [listing.split?.name ?? "", ...ranges] };
  return { merged: shape.sort === "created_at" ? listing.byTime : undefined, served: ranges };
}

/** What the index of the sort has in front of its column: all values that are asked for, where the index begins with them. */
export function splitOf({ split }: AnyListing, shape: Shape): Merged | undefined {
  if (!split) return undefined;
  const isAsked = shape.split && shape.sort === "created_at";
  if (!isAsked && ![split.name, ...split.sorts].includes(shape.sort)) return undefined;
  return { column: split.column, values: shape.split ?? split.values };
}

/** The conditions that the walk leaves to be compared row by row. */
export function residualOf(listing: AnyListing, shape: Shape, p: Param, { served }: Walk): SQL[] {
  const { split, search } = listing;
  const others = usedFilters(listing, shape).filter(({ name }) => !served.includes(name));
  return [
    ...others.map(({ where }) => sql`(${where(p)})`),
    ...(split && shape.split && !served.includes(split.name)
      ? [sql`(${isOneOf({ ...split, values: shape.split })})`]
      : []),
    ...(shape.search !== "none" && search ? [search.holds(p)] : []),
  ];
}

type Walking = {
  walk: Walk;
  /** What is read of each row beside its key, as `holds`. */
  holds?: SQL;
  /** How many rows at most. */
  limit: SQL;
  /** How many of them are passed over. */
  offset?: SQL;
};

/** The keys of rows in the order of the list, as `on_page`. */
export function walked(
  listing: AnyListing,
  shape: Shape,
  p: Param,
  { walk, holds, limit, offset }: Walking,
): SQL {
  const sections = sectionsOf(listing, shape, p, walk);
  const read = sections.map((section) => sectionOf(listing, shape, p, { walk, holds, section }));
  const page = offset ? sql`LIMIT ${limit} OFFSET ${offset}` : sql`LIMIT ${limit}`;
  const [only, ...more] = read;
  if (only && more.length === 0) return sql`${only} ${page}`;
  const bound = offset ? sql`${limit} + ${offset}` : limit;
  const parts = read.map((part) => sql`SELECT * FROM (${part} LIMIT ${bound})`);
  return sql`SELECT * FROM (${united(parts)}) ${page}`;
}

/** Whether the rows are those of one place in one index, so that they can be read with what is joined to them. */
export function isStraight(listing: AnyListing, shape: Shape, walk: Walk): boolean {
  return shape.start.at === "end" && !walk.merged && !walk.by?.arms && shape.sort !== listing.split?.name;
}

/** The conditions of all rows that the walk finds, of a list that is read from its end. */
export function walkedWhere(listing: AnyListing, shape: Shape, p: Param, walk: Walk): SQL {
  return and([...commonOf(listing, shape, p, walk), ...(walk.by ? [walk.by.where(p)] : [])]);
}

/** A part of the list, before which nothing of the next part comes. */
type Section = { where: SQL[]; values?: string[] };

/** The parts of what lies behind the start: an index seeks each of them, and a condition with OR it would not seek at all. */
function sectionsOf(listing: AnyListing, shape: Shape, p: Param, walk: Walk): Section[] {
  const { sort, order, start } = shape;
  const columns = orderColumns(listing, sort);
  if (sort !== listing.split?.name) {
    const isRanged = walk.served.some((name) => listing.filters[name]?.kind === "range");
    return behind(
      columns.map((column, nth) => ({ column, value: p(`cursor_${nth}`) })),
      {
        order,
        start,
        hasNulls: !columns[0]?.notNull && !isRanged,
      },
    ).map((where) => ({ where }));
  }
  const [, ...ties] = columns.map((column, nth) => ({ column, value: p(`cursor_${nth}`) }));
  const values = (walk.merged?.values ?? listing.split.values).toSorted();
  const inOrder = order === "asc" ? values : values.toReversed();
  const at = inOrder.indexOf(start.value ?? "");
  return inOrder.slice(Math.max(0, at)).flatMap((value, nth) => {
    const isStart = at >= 0 && nth === 0;
    const parts = isStart ? behind(ties, { order, start, hasNulls: false }) : [[]];
    return parts.map((where) => ({ where, values: [value] }));
  });
}

type Placed = { column: SQL | Merged["column"]; value: ReturnType<Param> };

/** Rows behind one with these values: those equal to it in all but the last column first, then those equal in fewer. */
function behind(
  placed: Placed[],
  { order, start, hasNulls }: Pick<Shape, "order" | "start"> & { hasNulls: boolean },
): SQL[][] {
  if (start.at === "end") return [[]];
  const [first, ...others] = placed;
  if (!first) return [];
  const beyond = sql.raw(order === "asc" ? ">" : "<");
  const isNull = sql`${first.column} IS NULL`;
  const equal = start.at === "null" ? isNull : sql`${first.column} = ${first.value}`;
  const equals = othersBehind(others, equal, { beyond, isInclusive: start.isInclusive });
  if (start.at === "null") return order === "asc" ? [...equals, [sql`${first.column} >= ''`]] : equals;
  const further = [sql`${first.column} ${beyond} ${first.value}`];
  return order === "desc" && hasNulls ? [...equals, further, [isNull]] : [...equals, further];
}

function othersBehind(
  placed: Placed[],
  equal: SQL,
  { beyond, isInclusive }: { beyond: SQL; isInclusive: boolean },
): SQL[][] {
  const [first, ...others] = placed;
  if (!first) return [];
  const last = others.length === 0;
  const orEqual = last && isInclusive ? sql.raw("=") : sql``;
  const further = [equal, sql`${first.column} ${beyond}${orEqual} ${first.value}`];
  if (last) return [further];
  const deeper = othersBehind(others, sql`${first.column} = ${first.value}`, { beyond, isInclusive });
  return [...deeper.map((where) => [equal, ...where]), further];
}

/** The rows of a part, in order: those of each condition are read by the index, and merged. */
function sectionOf(
  listing: AnyListing,
  shape: Shape,
  p: Param,
  { walk, holds, section }: { walk: Walk; holds: SQL | undefined; section: Section },
): SQL {
  const arms = armsOf(p, walk, section);
  const common = [...commonOf(listing, shape, p, walk), ...section.where];
  const also = holds ? sql`, (${holds}) AS holds` : sql``;
  const source = indexed(listing, walk.by);
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
  return sql`${united(selects)} ORDER BY ${sql.join(order, sql`, `)}`;
}

/** The conditions whose rows are merged; none where all rows are in order by themselves. */
function armsOf(p: Param, { by, merged }: Walk, { values }: Section): SQL[] {
  if (by) return by.arms?.(p) ?? [by.where(p)];
  if (!merged) return [];
  return (values ?? merged.values).map((value) => isOneOf({ ...merged, values: [value] }));
}

/** The scope, and the ranges of the sort's column; the end of one that the start has passed only sifts, since an index takes one end. */
function commonOf(listing: AnyListing, shape: Shape, p: Param, { by, served }: Walk): SQL[] {
  const passed = shape.order === "asc" ? "lower" : "upper";
  const ranges = usedFilters(listing, shape).filter(
    ({ name, kind }) => kind === "range" && served.includes(name),
  );
  return [
    scopeOf(listing, p, by?.kind === "facet"),
    ...ranges.map(({ where, bounds }) =>
      shape.start.at !== "end" && bounds === passed ? sifting(where(p)) : where(p),
    ),
  ];
}
