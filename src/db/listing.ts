import { type AnyColumn, asc, desc, type Query, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SelectResultFields } from "drizzle-orm/query-builders/select.types";
import { SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import { characters, searchTerm } from "../lib/text.ts";
import type { Db, Statement, Value } from "./client.ts";
import { first, type Params, prepare, read, rows } from "./statement.ts";

/** Stands for a value by name; filled in when the list is read. */
export type Param = (name: string) => SQLWrapper;

/**
 * How a filter becomes SQL. `narrow` filters leave few rows (one customer's, a day's): their index leads, and those rows are
 * sorted. Others (`facet`) leave many rows: the index of the sort leads, and the filter only sifts. A filter with `from` has a
 * better source than the table, which finds exactly its rows.
 */
export type Filter = {
  kind: "facet" | "narrow";
  where: (p: Param) => SQL;
  from?: (p: Param) => SQL;
  /** One of several values of this column: alone, each value's newest are read by its own index and merged. */
  anyOf?: SQLWrapper;
  /** A range of the column of this sort: in that sort the index serves both. */
  rangeOf?: string;
};

export const facet = (column: SQLWrapper, name: string): Filter => ({
  kind: "facet",
  where: (p) => sql`${column} = ${p(name)}`,
});
export const facetIn = (column: SQLWrapper, name: string): Filter => ({
  kind: "facet",
  where: (p) => sql`${column} IN (SELECT value FROM json_each(${p(name)}))`,
  anyOf: column,
});
export const narrow = (where: Filter["where"], from?: Filter["where"]): Filter => ({
  kind: "narrow",
  where,
  ...(from ? { from } : {}),
});
export const rangeOf = (sort: string, where: Filter["where"]): Filter => ({
  ...narrow(where),
  rangeOf: sort,
});
export const narrowBy = (column: SQLWrapper, name: string): Filter =>
  narrow((p) => sql`${column} = ${p(name)}`);

/** A query for the total of a list under the filters of these names, cheaper than counting its rows; or none. */
export type Totals = (names: string[]) => ((p: Param) => SQL) | undefined;

/** Totals kept by triggers, in a table with one row for each combination of facets, its columns by filter name. */
export const countedBy =
  (table: SQLWrapper, accountId: SQLWrapper, facets: Record<string, Filter>): Totals =>
  (names) => {
    if (!names.every((name) => name in facets)) return undefined;
    return (p) => {
      const conditions = [
        sql`${accountId} = ${p("account_id")}`,
        ...names.map((name) => facets[name]!.where(p)),
      ];
      return sql`SELECT COALESCE(SUM(count), 0) AS total FROM ${table} WHERE ${sql.join(conditions, sql` AND `)}`;
    };
  };

/** The columns of a row, by name. */
type Columns = Record<string, AnyColumn | SQL>;

type Listing<Shown extends Columns, Sort extends string> = {
  table: SQLWrapper;
  columns: Shown;
  /** Joins that add columns, not rows. */
  joins?: SQL;
  /** The account's living rows; its values are parameters of each reading. */
  scope: (p: Param) => SQL;
  /** By name; the name is also that of the value. `search` is folded, and led by its `from` if it is long enough. */
  filters: Record<string, Filter>;
  /** The column of each sort; the id makes every order total. */
  sorts: Record<Sort, SQLWrapper> & { created_at: SQLWrapper };
  id: SQLWrapper;
  /** Where totals come from without counting rows. */
  totals?: Totals;
};

type AnyListing = Listing<Columns, string>;

export type Page<Sort extends string> = {
  page: number;
  limit: number;
  sort: Sort | "created_at";
  order: "asc" | "desc";
};

const dialect = new SQLiteSyncDialect();

/** Unary plus keeps an index from leading where it would read more than the sort's own. */
const sifting = (where: SQL): SQL => sql`+${where}`;

const indexedFrom = 3;
/** Longer needles are looked up by their beginning in the index and compared whole. */
const matchedCharacters = 64;
const deepOffset = 100;

/** A search term as an FTS5 phrase, quotes doubled: every character stands for itself. */
const phrase = (needle: string): string =>
  `"${[...needle].slice(0, matchedCharacters).join("").replaceAll('"', '""')}"`;

/** One combination of filters and sort; each has its own SQL. */
type Shape = { names: string[]; sort: string; order: "asc" | "desc"; indexed: boolean; deep: boolean };

/** In the default sort, as many of each value as the page reaches to: few rows, however many there are of each. */
const mergedSource = (
  { table, scope, filters, sorts, id }: AnyListing,
  shape: Shape,
  p: Param,
): SQL | undefined => {
  const [name, ...others] = shape.names;
  const column = name === undefined ? undefined : filters[name]?.anyOf;
  if (!name || !column || others.length > 0 || shape.sort !== "created_at") return undefined;
  const direction = shape.order === "asc" ? asc : desc;
  return sql`(SELECT DISTINCT value AS facet FROM json_each(${p(name)})) CROSS JOIN ${table}
    ON ${table}.rowid IN (SELECT ${table}.rowid FROM ${table} WHERE ${scope(p)} AND ${column} = facet
      ORDER BY ${direction(sorts.created_at as SQLWrapper)}, ${direction(id)} LIMIT ${p("reach")})`;
};

/** What a shape means for the database: the source that is read, the conditions on it, and whether few rows remain. */
const planOf = (listing: AnyListing, shape: Shape, p: Param) => {
  const { names, sort, indexed } = shape;
  const merged = mergedSource(listing, shape, p);
  if (merged) return { led: true, source: merged, where: sifting(sql`(${listing.scope(p)})`) };
  const used = names.map((name) => ({ name, ...listing.filters[name]! }));
  const owned = used.some(
    ({ name, kind, from, rangeOf }) => kind === "narrow" && name !== "search" && !from && !rangeOf,
  );
  const leader = used.find(({ name, from }) => from && (name !== "search" || (indexed && !owned)));
  const led = used.some(({ kind, rangeOf }) => kind === "narrow" && rangeOf !== sort);
  let sortLeads = led || sort !== "created_at";
  const conditions = used
    .filter((filter) => filter !== leader)
    .map(({ kind, where }) => {
      if (kind === "narrow") return where(p);
      const sifts = sortLeads;
      sortLeads = true;
      return sifts ? sifting(where(p)) : where(p);
    });
  return {
    led,
    source: leader?.from?.(p) ?? sql`${listing.table}`,
    where: sql.join(
      [leader ? sifting(sql`(${listing.scope(p)})`) : listing.scope(p), ...conditions],
      sql` AND `,
    ),
  };
};

/** Where rows are sorted or skipped, that is done first, and only the page's are joined. */
const pageQuery = (listing: AnyListing, shape: Shape, p: Param): SQL => {
  const { table, columns, joins = sql``, id } = listing;
  const { led, source, where } = planOf(listing, shape, p);
  const direction = shape.order === "asc" ? asc : desc;
  const column = listing.sorts[shape.sort as "created_at"] as SQLWrapper;
  const order = sql`ORDER BY ${direction(led ? sifting(sql`${column}`) : column)}, ${direction(id)}`;
  const page = sql`${source} WHERE ${where} ${order} LIMIT ${p("limit")} OFFSET ${p("offset")}`;
  const selected = sql.join(
    Object.entries(columns).map(([name, value]) => sql`${value} AS ${sql.identifier(name)}`),
    sql`, `,
  );
  if (!led && !shape.deep)
    return sql`SELECT ${selected} FROM ${table} ${joins} WHERE ${where} ${order} LIMIT ${p("limit")} OFFSET ${p("offset")}`;
  return sql`SELECT ${selected} FROM (SELECT ${table}.rowid AS on_page FROM ${page})
    CROSS JOIN ${table} ON ${table}.rowid = on_page ${joins} ${order}`;
};

const totalQuery = (listing: AnyListing, shape: Shape, p: Param): SQL => {
  const counted = listing.totals?.(shape.names);
  if (counted) return counted(p);
  const { source, where } = planOf(listing, { ...shape, sort: "" }, p);
  return sql`SELECT COUNT(*) AS total FROM ${source} WHERE ${where}`;
};

/** A query written as SQL, in the form that the builder's own have. */
const rendered = <R>(query: SQL) =>
  ({ toSQL: () => dialect.sqlToQuery(query) }) as { toSQL(): Query; _: { result: R[] } };

/** The statement of a query, whose SQL is built once for each shape. `R` is what a row of it is. */
const preparedByShape = <R>(define: (shape: Shape, p: Param) => SQL) => {
  type Prepared = (values: Record<string, Value>) => Statement<R>;
  const prepared = new Map<string, Prepared>();
  return (shape: Shape): Prepared => {
    const key = `${shape.names.join()} ${shape.sort} ${shape.order} ${shape.indexed} ${shape.deep}`;
    const known = prepared.get(key);
    if (known) return known;
    const statementOf: Prepared = prepare((p: Params<Record<string, Value>>) =>
      rendered<R>(define(shape, p)),
    );
    prepared.set(key, statementOf);
    return statementOf;
  };
};

/** A row of a list that `listReader` reads. */
export type RowOfList<Reader extends (...args: never[]) => Promise<{ rows: unknown[] }>> = Awaited<
  ReturnType<Reader>
>["rows"][number];

/**
 * Makes a list of a table readable by page: one trip, its SQL built once for each combination of filters and sort.
 * Far from the first page it is read from the nearer end, so the last page costs as little as the first.
 */
export const listReader = <Shown extends Columns, Sort extends string>(listing: Listing<Shown, Sort>) => {
  type R = SelectResultFields<Shown>;
  const pageOf = preparedByShape<R>((shape, p) => pageQuery(listing as AnyListing, shape, p));
  const totalOf = preparedByShape<{ total: number }>((shape, p) =>
    totalQuery(listing as AnyListing, shape, p),
  );

  return async (
    db: Db,
    scope: Record<string, Value> & { account_id: string },
    filters: Record<string, Value | undefined>,
    { page, limit, sort, order }: Page<Sort>,
  ): Promise<{ rows: R[]; total: number }> => {
    const present = Object.entries(filters).filter(
      (entry): entry is [string, Value] => entry[1] !== undefined,
    );
    const values: Record<string, Value> = { ...Object.fromEntries(present), ...scope };
    if (typeof values.search === "string") {
      values.search = searchTerm(values.search);
      values.match = phrase(values.search);
      values.tenant = phrase(scope.account_id.slice(-3));
    }
    const indexed = typeof values.search === "string" && characters(values.search) >= indexedFrom;
    const offset = (page - 1) * limit;
    const deep = offset > deepOffset;
    const shape: Shape = { names: present.map(([name]) => name).sort(), sort, order, indexed, deep };

    if (!deep) {
      const [found, [counted]] = await read(db, [
        pageOf(shape)({ ...values, limit, offset, reach: offset + limit }),
        totalOf(shape)(values),
      ]);
      return { rows: found, total: counted?.total ?? 0 };
    }
    const total = (await first(db, totalOf(shape)(values)))?.total ?? 0;
    const size = Math.min(limit, total - offset);
    if (size <= 0) return { rows: [], total };
    const fromEnd = total - offset - size;
    if (fromEnd >= offset) {
      const page = pageOf(shape)({ ...values, limit, offset, reach: offset + limit });
      return { rows: await rows(db, page), total };
    }
    const backwards: Shape = { ...shape, order: order === "asc" ? "desc" : "asc" };
    const tail = pageOf(backwards)({ ...values, limit: size, offset: fromEnd, reach: fromEnd + size });
    return { rows: (await rows(db, tail)).reverse(), total };
  };
};
