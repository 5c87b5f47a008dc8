import { type AnyColumn, type SQL, sql } from "drizzle-orm";
import type { Param } from "../filters.ts";
import {
  type AnyListing,
  fromIndex,
  isOneOf,
  type Merged,
  type NamedFilter,
  orderColumns,
  type Shape,
  searchConditions,
  secondOf,
  usedFilters,
} from "./list-definition.ts";

/** The way in which the rows of a list are read in its order: by which index, and what is left to be compared row by row. */
export type ListWalk = {
  /** The filter whose index is walked; that of the sort where there is none. */
  by?: NamedFilter | undefined;
  /** The filter whose copy of the sort's index is walked. */
  copy?: NamedFilter | undefined;
  /** The column in front of the sort's, in the index of the walk, with its values. */
  merged?: Merged | undefined;
  /** The names of the filters that need not be compared: the index finds nothing else. */
  covered: string[];
};

export function chooseWalk(listing: AnyListing, shape: Shape): ListWalk {
  const used = usedFilters(listing, shape);
  const inOrder = used.filter(({ sorts }) => sorts.includes(shape.sort));
  const columns = orderColumns(listing, shape.sort);
  const ranges = used.filter((filter) => isRangeOf(listing, filter, columns)).map(({ name }) => name);
  const facets = inOrder.filter(({ kind }) => kind === "facet");
  const bySplit = splitFor(listing, shape);
  const narrow = inOrder.find(({ kind }) => kind === "narrow");
  const copy = narrow ? undefined : used.find(({ copies }) => copies?.[shape.sort]);
  const by = narrow ?? facets.find(({ isRare }) => isRare) ?? (bySplit ? undefined : facets[0]);
  if (by && !copy) return { by, covered: [by.name, ...ranges] };
  const merged = bySplit ?? (shape.sort === "created_at" ? listing.byTime : undefined);
  const covered = [bySplit && listing.split, copy, secondOf(listing, merged)].flatMap(
    (its) => its?.name ?? [],
  );
  return { copy, merged, covered: [...covered, ...ranges] };
}

/** The split column with the values to merge, where the index of the sort has it in front of the sort's own; else undefined. */
export function splitFor({ split }: AnyListing, shape: Shape): Merged | undefined {
  if (!split) return undefined;
  const values = shape.implied ?? split.values;
  const isAsked = shape.implied && shape.sort === "created_at";
  if (!isAsked && ![split.name, ...split.sorts].includes(shape.sort)) return undefined;
  return { column: split.column, values };
}

/** The conditions that the walk leaves to be compared row by row. */
export function residualConditions(
  listing: AnyListing,
  shape: Shape,
  p: Param,
  { covered }: ListWalk,
): SQL[] {
  const { split } = listing;
  const others = usedFilters(listing, shape).filter(({ name }) => !covered.includes(name));
  return [
    ...others.map(({ where }) => sql`(${where(p)})`),
    ...(split && shape.split && !covered.includes(split.name)
      ? [sql`(${isOneOf({ ...split, values: shape.split })})`]
      : []),
    ...searchConditions(listing, shape, p),
  ];
}

/** Whether a filter is a range of a column that the list is ordered by: of the sort, or of its tie. */
export function isRangeOf(
  { sorts: all }: AnyListing,
  { kind, sorts }: NamedFilter,
  columns: AnyColumn[],
): boolean {
  const column = all[sorts[0] as "created_at"];
  return kind === "range" && column !== undefined && columns.includes(column);
}

/** The table by the index of the walk. */
export function fromWalk(listing: AnyListing, { sort }: Shape, { by, copy }: ListWalk): SQL {
  const index = copy?.copies?.[sort];
  return fromIndex(listing, index ? { ...copy, index } : by);
}

/** Whether the rows are those of one place in one index, so that they can be read with what is joined to them. */
export function isStraight(listing: AnyListing, shape: Shape, walk: ListWalk): boolean {
  return shape.start.at === "end" && !walk.merged && !walk.by?.arms && shape.sort !== listing.split?.name;
}
