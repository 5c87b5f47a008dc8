import { type AnyColumn, asc, desc, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Filter, Param, Totals } from "./filters.ts";
import { isCut, newestRows, type Search } from "./search.ts";

/** The columns of a row, by name. */
export type Columns = Record<string, AnyColumn | SQL>;

export type Listing<Shown extends Columns, Sort extends string> = {
  table: SQLWrapper;
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
  sorts: Record<Sort, SQLWrapper> & { created_at: SQLWrapper };
  /** What no two rows of the list share, and what every order ends in: the key of the table, which each of its indexes ends in anyway. */
  tiebreaker: SQLWrapper;
  /** The column that names a row within its account, where the table has no row ids. */
  key?: SQLWrapper;
  /**
   * The index that finds all rows of the scope, where SQLite would take the table itself, whose key begins as its indexes do: without
   * statistics it takes an account's rows for few. Filters then name theirs too.
   */
  index?: string;
  /** The column that orders rows which a sort leaves equal, before the tiebreaker does; it stands in the sort's index too. */
  ties?: Partial<Record<Sort, SQLWrapper>>;
  /**
   * A column with few values that stands before the sort's column in the indexes of `sorts`: each value's rows are read in
   * order and merged, so that one index serves the sort with and without this filter. Its filter takes a JSON array.
   */
  split?: Merged & { name: string; sorts: string[] };
  /**
   * A column with few values that stands before the time in an index, where no index begins with the time: the rows of all values are
   * merged, unless a filter has an index by time of its own. Each of the values is read up to its first row that meets the other
   * filters, so this is for lists of few filters.
   */
  byTime?: Merged;
  search?: Search;
  /** Where totals come from without counting rows. */
  totals?: Totals;
};

/** A column before that of the sort in an index, and the values whose rows are merged. */
type Merged = { column: SQLWrapper; values: readonly string[] };

export type AnyListing = Listing<Columns, string>;

/** One combination of filters and sort; each has its own SQL. */
export type Shape = {
  /** The filters but `search` and that of the split column. */
  names: string[];
  search: "none" | "indexed" | "short";
  /** The values asked for of the split column. */
  split?: string[] | undefined;
  sort: string;
  order: "asc" | "desc";
  deep: boolean;
};

/** A total is counted up to this number, and a filter that leaves more rows does not lead in another filter's sort. */
export const mostCounted = 1_000;

/**
 * The queries of a page, one of which returns its rows. There are two where a filter has no index in the order of the sort:
 * while it leaves few rows its own index leads, else that of the sort; LIMIT 0 keeps the other from reading anything.
 */
export const pageQueries = (listing: AnyListing, shape: Shape, p: Param): SQL[] => {
  if (isSearched(listing, shape)) return [searchedPage(listing, shape, p)];
  const leader = leaderOf(listing, shape);
  if (!leader || hasOrder(leader, shape)) return [orderedPage(listing, shape, p)];
  if (leader.kind === "narrow") return [pageOf(listing, shape, p, sortedRows(listing, shape, p, leader))];
  const few = isFew(listing, leader, p);
  const unless = sql`CASE WHEN ${few} THEN 0 ELSE ${p("limit")} END`;
  const when = sql`CASE WHEN ${few} THEN ${p("limit")} ELSE 0 END`;
  return [
    pageOf(listing, shape, p, orderedRows(listing, shape, p, unless)),
    pageOf(listing, shape, p, sortedRows(listing, shape, p, leader, when)),
  ];
};

/** The query of a total: of counters, else of at most so many rows; `is_estimate` where there are more. */
export const totalQuery = (listing: AnyListing, shape: Shape, p: Param): SQL => {
  const { names, split, search } = shape;
  if (isSearched(listing, shape)) return searchedTotal(listing, shape, p);
  const all = split ? [...names, listing.split?.name ?? ""] : names;
  const counted = search === "none" ? listing.totals?.(all) : undefined;
  if (counted) return counted(p);
  const { source, where } = ledBy(listing, shape, p, leaderOf(listing, { ...shape, sort: "" }));
  return sql`SELECT MIN(COUNT(*), ${most}) AS total, COUNT(*) > ${most} AS is_estimate
    FROM (SELECT 1 FROM ${source} WHERE ${where} LIMIT ${most} + 1)`;
};

/**
 * A page straight from the index of the sort. Rows that are merged, or that are skipped before their joins, are found first, and only
 * those of the page are joined.
 */
function orderedPage(listing: AnyListing, shape: Shape, p: Param): SQL {
  if ((shape.deep && listing.joins) || mergedBy(listing, shape))
    return pageOf(listing, shape, p, orderedRows(listing, shape, p));
  return sql`SELECT ${shown(listing)} FROM ${indexed(listing, inOrderOf(listing, shape))} ${joinsOf(listing)}
    WHERE ${orderedWhere(listing, shape, p)} ${orderOf(listing, shape)} LIMIT ${p("limit")} OFFSET ${p("offset")}`;
}

/** Whether the index of the one narrow filter has the order of the sort. */
function hasOrder({ kind, filters }: Leader, { sort }: Shape): boolean {
  return kind === "narrow" && filters.length === 1 && filters.every(({ sorts }) => sorts.includes(sort));
}

/** Filters that one index finds rows by, other than the index of the sort. */
type Leader = { kind: "narrow" | "range" | "facet"; filters: (Filter & { name: string })[] };

const most = sql.raw(String(mostCounted));

/** Unary plus keeps an index from leading where it would read more than the leader's own. */
const sifting = (where: SQL): SQL => sql`+${where}`;

const and = (conditions: SQL[]): SQL => sql.join(conditions, sql` AND `);

function scopeOf({ scope, within }: AnyListing, p: Param, facetLeads = false): SQL {
  if (!within) return scope(p);
  return and([scope(p), facetLeads ? sifting(within) : within]);
}

function usedFilters({ filters }: AnyListing, { names }: Shape) {
  return names.map((name) => ({ name, ...filters[name]! }));
}

/** A search whose rows no other filter finds. */
function isSearched(listing: AnyListing, shape: Shape): boolean {
  return shape.search !== "none" && !usedFilters(listing, shape).some(({ kind }) => kind === "narrow");
}

/** D1 takes so many parts in a UNION. More values than that are nearly all that there are, so few rows are passed over. */
const mostMerged = 5;

/** The column that the index of the sort has in front, and the values that are read of it; none where it begins with the sort's own column. */
function mergedBy(listing: AnyListing, shape: Shape): Merged | undefined {
  const { split, byTime } = listing;
  if (split?.sorts.includes(shape.sort)) return { ...split, values: shape.split ?? split.values };
  if (shape.sort !== "created_at") return undefined;
  if (split && shape.split && shape.split.length <= mostMerged) return { ...split, values: shape.split };
  return usedFilters(listing, shape).some(hasTime) ? undefined : byTime;
}

/** Whether a filter's own index is in the order of time. */
function hasTime({ kind, sorts }: Filter): boolean {
  return (kind === "narrow" || kind === "facet") && sorts.includes("created_at");
}

/** The filters whose index leads where it leaves fewer rows than the index of the sort passes over. */
function leaderOf(listing: AnyListing, shape: Shape): Leader | undefined {
  const used = usedFilters(listing, shape);
  const narrow = used.filter(({ kind }) => kind === "narrow");
  if (narrow.length > 0) return { kind: "narrow", filters: narrow };
  const served = servedBy(listing, shape);
  const others = used.filter(({ name }) => !served.includes(name));
  const ranges = others.filter(({ kind }) => kind === "range");
  if (ranges.length > 0) {
    const [column] = ranges[0]?.sorts ?? [];
    return { kind: "range", filters: ranges.filter(({ sorts }) => sorts[0] === column) };
  }
  const facet = others.find(({ kind }) => kind === "facet");
  return facet && { kind: "facet", filters: [facet] };
}

/** The names of the filters that the index of the sort serves too: ranges of its column, and one facet, or the split column. */
function servedBy(listing: AnyListing, shape: Shape): string[] {
  const used = usedFilters(listing, shape).filter(({ sorts }) => sorts.includes(shape.sort));
  const facet = mergedBy(listing, shape) ? undefined : used.find(({ kind }) => kind === "facet");
  return used.filter((filter) => filter.kind === "range" || filter === facet).map(({ name }) => name);
}

/** The conditions of these filters: of those named plain, so that an index can serve them; of the others sifting. */
function conditionsOf(listing: AnyListing, shape: Shape, p: Param, plain: string[]): SQL[] {
  const conditions = usedFilters(listing, shape).map(({ name, where }) =>
    plain.includes(name) ? where(p) : sifting(where(p)),
  );
  return shape.search === "none" || !listing.search
    ? conditions
    : [...conditions, sifting(listing.search.holds(p))];
}

/** Some values of a column, as literals: a parameter would hide from SQLite how many there are. */
function isOneOf({ column, values }: Merged): SQL {
  const literals = values.map((value) => sql.raw(`'${value}'`));
  return sql`${column} IN (${sql.join(literals, sql`, `)})`;
}

/** The values asked for of the split column, as a condition that an index may serve or one that sifts. */
function splitOf({ split }: AnyListing, shape: Shape, isServed: boolean): SQL[] {
  if (!split || !shape.split) return [];
  const chosen = isOneOf({ ...split, values: shape.split });
  return [isServed ? chosen : sifting(sql`(${chosen})`)];
}

/** The source and conditions of what the leader's index finds. */
function ledBy(listing: AnyListing, shape: Shape, p: Param, leader: Leader | undefined) {
  const names = leader?.filters.map(({ name }) => name) ?? [];
  const from = leader?.filters.find((filter) => filter.from);
  const plain = names.filter((name) => name !== from?.name);
  const rest = { ...shape, names: shape.names.filter((name) => name !== from?.name) };
  const whole = scopeOf(listing, p, leader?.kind === "facet");
  const scope = from ? sifting(sql`(${whole})`) : whole;
  const merged = leader?.kind === "range" ? rangeIndex(listing, shape, leader) : undefined;
  const isServed = merged ? merged.column === listing.split?.column : !leader && Boolean(listing.split);
  const chosen = [
    ...(merged && !(isServed && shape.split) ? [isOneOf(merged)] : []),
    ...splitOf(listing, shape, isServed),
  ];
  return {
    source: from?.from?.(p) ?? indexed(listing, leader?.filters[0]),
    where: and([scope, ...chosen, ...conditionsOf(listing, rest, p, plain)]),
  };
}

/** What the index of a range has in front of the range's column. */
function rangeIndex(listing: AnyListing, shape: Shape, { filters }: Leader): Merged | undefined {
  const sort = filters[0]?.sorts[0] ?? "";
  const alone: Shape = { names: [], search: "none", sort, order: "asc", deep: false };
  return mergedBy(listing, shape.split ? { ...alone, split: shape.split } : alone);
}

/** Whether the leader's filters leave few rows. */
function isFew(listing: AnyListing, leader: Leader, p: Param): SQL {
  const counted = leader.kind === "facet" && listing.totals?.(leader.filters.map(({ name }) => name));
  if (counted) return sql`(SELECT total FROM (${counted(p)})) <= ${most}`;
  const alone: Shape = {
    names: leader.filters.map(({ name }) => name),
    search: "none",
    sort: "",
    order: "asc",
    deep: false,
  };
  const { source, where } = ledBy(listing, alone, p, leader);
  return sql`(SELECT COUNT(*) FROM (SELECT 1 FROM ${source} WHERE ${where} LIMIT ${most} + 1)) <= ${most}`;
}

/** The rows of a page by the index of the leader, sorted unless that index has the order of the sort. */
function sortedRows(
  listing: AnyListing,
  shape: Shape,
  p: Param,
  leader: Leader,
  limit: SQLWrapper = p("limit"),
) {
  const { source, where } = ledBy(listing, shape, p, leader);
  const isInOrder =
    leader.kind === "facet" && leader.filters.every(({ sorts }) => sorts.includes(shape.sort));
  return sql`SELECT ${keyOf(listing)} AS on_page FROM ${source} WHERE ${where}
    ${orderOf(listing, shape, isInOrder ? undefined : sifting)} LIMIT ${limit} OFFSET ${p("offset")}`;
}

/** The rows of a page in the order of the sort's index. */
function orderedRows(listing: AnyListing, shape: Shape, p: Param, limit: SQLWrapper = p("limit")): SQL {
  const { table, tiebreaker } = listing;
  const page = sql`LIMIT ${limit} OFFSET ${p("offset")}`;
  const merged = mergedBy(listing, shape);
  const where = orderedWhere(listing, shape, p, merged);
  const isLed = usedFilters(listing, shape).some(({ kind }) => kind === "narrow");
  if (!merged)
    return sql`SELECT ${keyOf(listing)} AS on_page FROM ${indexed(listing, inOrderOf(listing, shape))} WHERE ${where} ${orderOf(listing, shape)} ${page}`;
  const terms = merged.values.map((value) => {
    const isIt = isOneOf({ ...merged, values: [value] });
    return sql`SELECT ${keyOf(listing)} AS on_page, ${sortOf(listing, shape)} AS by_sort, ${tiebreaker} AS by_tiebreaker FROM ${table}
      WHERE ${isLed ? sifting(sql`(${isIt})`) : isIt} AND ${where}`;
  });
  const direction = shape.order === "asc" ? asc : desc;
  return sql`${sql.join(terms, sql` UNION ALL `)}
    ORDER BY ${direction(sql`by_sort`)}, ${direction(sql`by_tiebreaker`)} ${page}`;
}

/** The conditions of rows in the order of the sort's index, but the value that stands in front of it. */
function orderedWhere(listing: AnyListing, shape: Shape, p: Param, merged?: Merged): SQL {
  const { split } = listing;
  const used = usedFilters(listing, shape);
  const narrow = used.filter(({ kind }) => kind === "narrow");
  const plain = narrow.length > 0 ? narrow.map(({ name }) => name) : servedBy(listing, shape);
  const facetLeads = used.some(({ name, kind }) => kind === "facet" && plain.includes(name));
  const isServed = shape.sort === split?.name && narrow.length === 0;
  return and([
    scopeOf(listing, p, facetLeads),
    ...(merged && merged.column === split?.column ? [] : splitOf(listing, shape, isServed)),
    ...conditionsOf(listing, shape, p, plain),
  ]);
}

/** The rows of a page, with what is joined to them. */
function pageOf(listing: AnyListing, shape: Shape, p: Param, rows: SQL): SQL {
  const account = listing.key ? sql`${listing.table}.account_id = ${p("account_id")} AND ` : sql``;
  return sql`SELECT ${shown(listing)} FROM (${rows}) CROSS JOIN ${listing.table}
    ON ${account}${keyOf(listing)} = on_page ${joinsOf(listing)} ${orderOf(listing, shape)}`;
}

/** The table by the index of a filter, or by that of the scope. */
function indexed({ table, index }: AnyListing, filter?: Filter): SQL {
  const name = filter ? filter.index : index;
  return name ? sql`${table} INDEXED BY ${sql.raw(name)}` : sql`${table}`;
}

/** The filter whose index has the order of the sort. */
function inOrderOf(listing: AnyListing, shape: Shape): Filter | undefined {
  const used = usedFilters(listing, shape).filter(({ sorts }) => sorts.includes(shape.sort));
  return used.find(({ kind }) => kind === "narrow") ?? used.find(({ kind }) => kind === "facet");
}

function keyOf({ table, key }: AnyListing): SQL {
  return key ? sql`${key}` : sql`${table}.rowid`;
}

/** The sources of a search, and the rows of the table that they find. */
function searched(listing: AnyListing, shape: Shape, p: Param) {
  const { table, search, tiebreaker, sorts } = listing;
  const newest = sql`${desc(sorts.created_at as SQLWrapper)}, ${desc(tiebreaker)}`;
  const isShort = shape.search === "short" || !search;
  const sources = isShort ? newestRows(table, scopeOf(listing, p), newest) : search.sources(p);
  const found = isShort ? ["newest"] : search.found;
  const all = found.map((name) => sql`SELECT found FROM ${sql.identifier(name)}`);
  const sifts = conditionsOf(listing, { ...shape, search: isShort ? shape.search : "none" }, p, []);
  return {
    names: Object.keys(sources),
    sources: sql.join(
      Object.entries(sources).map(([name, rows]) => sql`${sql.identifier(name)} AS (${rows})`),
      sql`, `,
    ),
    source: sql`(${sql.join(all, sql` UNION `)}) CROSS JOIN ${table} ON ${table}.rowid = found`,
    where: and([sifting(sql`(${scopeOf(listing, p)})`), ...splitOf(listing, shape, false), ...sifts]),
  };
}

function searchedPage(listing: AnyListing, shape: Shape, p: Param): SQL {
  const { sources, source, where } = searched(listing, shape, p);
  const rows = sql`SELECT ${keyOf(listing)} AS on_page FROM ${source} WHERE ${where}
    ${orderOf(listing, shape, sifting)} LIMIT ${p("limit")} OFFSET ${p("offset")}`;
  return sql`WITH ${sources} ${pageOf(listing, shape, p, rows)}`;
}

function searchedTotal(listing: AnyListing, shape: Shape, p: Param): SQL {
  const { sources, source, where, names } = searched(listing, shape, p);
  return sql`WITH ${sources} SELECT COUNT(*) AS total, ${isCut(names)} AS is_estimate FROM ${source} WHERE ${where}`;
}

function sortOf({ sorts }: AnyListing, { sort }: Shape): SQL {
  return sql`${sorts[sort as "created_at"] as SQLWrapper}`;
}

function orderOf(listing: AnyListing, shape: Shape, written: (column: SQL) => SQL = (column) => column): SQL {
  const direction = shape.order === "asc" ? asc : desc;
  const tie = listing.ties?.[shape.sort];
  const order = [written(sortOf(listing, shape)), ...(tie ? [tie] : []), listing.tiebreaker];
  return sql`ORDER BY ${sql.join(order.map(direction), sql`, `)}`;
}

function shown({ columns }: AnyListing): SQL {
  return sql.join(
    Object.entries(columns).map(([name, value]) => sql`${value} AS ${sql.identifier(name)}`),
    sql`, `,
  );
}

function joinsOf({ joins = sql`` }: AnyListing): SQL {
  return joins;
}
