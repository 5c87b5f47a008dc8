import { type AnyColumn, asc, desc, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Filter, Param, Totals } from "../filters.ts";
import type { Search } from "./search.ts";

/** The columns of a row, by name. */
export type Columns = Record<string, AnyColumn | SQL>;

export type Listing<Shown extends Columns, Sort extends string> = {
  table: SQLWrapper;
  /** Those of the sorts, of the ties and of the tiebreaker are among them: a page's first and last row say where others begin. */
  columns: Shown;
  /** Joins that add columns, not rows. */
  joins?: SQL;
  /** The account's living rows; its values are parameters of each reading. */
  scope: (p: Param) => SQL;
  /**
   * A condition of all rows that the indexes of the sorts and of narrow filters contain nothing else than. It is hidden from
   * SQLite where the index of a facet leads, since SQLite would take the partial index of the sort in its place.
   */
  within?: SQL;
  /** By name; the name is also that of the value. */
  filters: Record<string, Filter>;
  /** The column of each sort; the tiebreaker makes every order total. */
  sorts: Record<Sort, AnyColumn> & { created_at: AnyColumn };
  /**
   * A column that is unique in the list, by which every order ends: the key of the table, which each of its indexes ends in
   * anyway.
   */
  tiebreaker: AnyColumn;
  /** The column that names a row within the scope, where the table has no row ids. */
  key?: SQLWrapper;
  /**
   * The index that finds all rows of the scope, where SQLite would take the table itself, whose key begins as its indexes do: without
   * statistics it takes an account's rows for few. Filters then name theirs too.
   */
  index?: string;
  /** The column that orders rows which a sort leaves equal, before the tiebreaker does; it stands in the sort's index too. */
  ties?: Partial<Record<Sort, AnyColumn>>;
  /**
   * A column with few values that stands before the sort's column in the indexes of `sorts`: each value's rows are read in
   * order and merged, so that one index serves the sort with and without this filter. Its filter takes a JSON array. `second` is another one,
   * with the name of its filter, that stands behind it in all of these indexes and in that of `byTime`.
   */
  split?: Merged & { name: string; sorts: string[]; second?: Merged & { name: string } };
  /**
   * A column with few values that stands before the time in an index, where no index begins with the time: the rows of all values are
   * merged, unless a filter has an index by time of its own. Each of the values is read up to its first row that meets the other
   * filters, so this is for lists of few filters.
   */
  byTime?: Merged;
  /** The bounds that a range of one date sets to the others. */
  spans?: Spans;
  search?: Search;
  /** The counters that totals come from without counting rows. */
  totals?: Totals;
};

/**
 * For each month of creation, how many days lie at least and at most between the day on which a row was created and each of its dates. A range of
 * one date so bounds the others: the walk begins there, where it would else pass over the rows of years.
 */
export type Spans = {
  /** The rows of the account: a month, and two numbers of days for each date, that are NULL where no row has it. */
  of: (p: Param) => SQL;
  month: AnyColumn;
  dates: { column: AnyColumn; from: AnyColumn; to: AnyColumn }[];
};

/** A column before that of the sort in an index, and the values whose rows are merged. */
export type Merged = { column: AnyColumn; values: readonly string[] };

export type AnyListing = Listing<Columns, string>;

/** The beginning of a walk: at the end of the list that its order begins with, or behind a row with such a value of the sort. */
export type WalkStart = { at: "end" | "value" | "null"; isInclusive: boolean; value?: string };

/** One combination of filters and sort; each has its own SQL. */
export type Shape = {
  /** The filters but `search` and that of the split column. */
  names: string[];
  search: SearchShape;
  /** The values asked for of the split column. */
  split?: string[] | undefined;
  /** The values of the split column that its filters leave, where these are not all; asked for or not. */
  implied?: string[] | undefined;
  sort: string;
  order: "asc" | "desc";
  start: WalkStart;
  /** Whether rows are passed over, which are then not joined. */
  deep: boolean;
};

/**
 * The way in which a term is searched. indexed: the index takes a sample of the newest, which is the beginning of the list. sampled: the sample that an
 * earlier page has taken. beside: row by row in the order of the list, the sample left out. short: row by row, as no index knows the term.
 */
export type SearchShape = "none" | "indexed" | "sampled" | "beside" | "short";

export type NamedFilter = Filter & { name: string };

export const fromEnd: WalkStart = { at: "end", isInclusive: false };

export function usedFilters({ filters }: AnyListing, { names }: Shape): NamedFilter[] {
  return names.map((name) => ({ name, ...filters[name]! }));
}

/** Whether a row holds the term that is searched. */
export function searchConditions({ search }: AnyListing, shape: Shape, p: Param): SQL[] {
  if (shape.search === "none" || !search) return [];
  return [shape.search === "beside" ? search.holdsBeside(p) : search.holds(p)];
}

/** Unary plus keeps an index from leading where it would read more than the driving index itself. */
export function unindexed(where: SQL): SQL {
  return sql`+${where}`;
}

export function and(conditions: SQL[]): SQL {
  return sql.join(conditions, sql` AND `);
}

export function scopeOf({ scope, within }: AnyListing, p: Param, facetLeads = false): SQL {
  if (!within) return scope(p);
  return and([scope(p), facetLeads ? unindexed(within) : within]);
}

/** Some values of a column, as literals: a parameter would hide from SQLite how many there are. */
export function isOneOf({ column, values }: Merged): SQL {
  const literals = values.map((value) => sql.raw(`'${value}'`));
  return sql`${column} IN (${sql.join(literals, sql`, `)})`;
}

/** The conditions of the column that stands behind the merged one in an index: the filter's, else that of all of its values. */
export function secondConditions(
  listing: AnyListing,
  shape: Shape,
  p: Param,
  merged: Merged | undefined,
): SQL[] {
  const second = secondOf(listing, merged);
  if (!second) return [];
  const asked = usedFilters(listing, shape).filter(({ name }) => name === second.name);
  return asked.length > 0 ? asked.map(({ where }) => where(p)) : [isOneOf(second)];
}

/** The column that stands behind the merged one in an index. */
export function secondOf({ split }: AnyListing, merged: Merged | undefined) {
  return merged && merged.column === split?.column ? split.second : undefined;
}

/** The table by the index of a filter, or by that of the scope. */
export function fromIndex({ table, index }: AnyListing, filter?: Filter): SQL {
  const name = filter ? filter.index : index;
  return name ? sql`${table} INDEXED BY ${sql.raw(name)}` : sql`${table}`;
}

export function keyOf({ table, key }: AnyListing): SQL {
  return key ? sql`${key}` : sql`${table}.rowid`;
}

/** The columns that a list is ordered by, the tiebreaker last. */
export function orderColumns({ sorts, ties, tiebreaker }: AnyListing, sort: string): AnyColumn[] {
  const tie = ties?.[sort];
  return [...new Set([sorts[sort as "created_at"], ...(tie ? [tie] : []), tiebreaker])];
}

export function orderOf(
  listing: AnyListing,
  shape: Shape,
  written: (column: SQL) => SQL = (column) => column,
): SQL {
  const [first, ...others] = orderColumns(listing, shape.sort);
  const columns = [written(sql`${first}`), ...others];
  return sql`ORDER BY ${sql.join(columns.map(shape.order === "asc" ? asc : desc), sql`, `)}`;
}
