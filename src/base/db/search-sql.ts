import { type SQL, sql } from "drizzle-orm";
import type { Param } from "./filters.ts";
import {
  type AnyListing,
  and,
  fromEnd,
  isOneOf,
  keyOf,
  orderOf,
  type Shape,
  scopeOf,
  unindexed,
  usedFilters,
} from "./list-definition.ts";
import { conditionsBehindStart, countReadsPerRow } from "./list-driving-index.ts";
import { joinRows } from "./list-joined.ts";
import { chooseWalk, queryWalk } from "./list-walk.ts";
import { isCut, mostSearched } from "./search.ts";

/** A search whose rows no other filter finds. */
export function isSearched(listing: AnyListing, shape: Shape): boolean {
  return shape.search !== "none" && !usedFilters(listing, shape).some(({ kind }) => kind === "narrow");
}

export function searchedPage(listing: AnyListing, shape: Shape, p: Param): SQL {
  const { sources, source, where } = querySearch(listing, shape, p);
  const rows = sql`SELECT ${keyOf(listing)} AS on_page FROM ${source}
    WHERE ${and([...where, ...conditionsBehindStart(listing, shape, p).map(unindexed)])}
    ${orderOf(listing, shape, unindexed)} LIMIT ${p("size")} OFFSET ${p("offset")}`;
  return sql`WITH ${sources} ${joinRows(listing, shape, p, rows)}`;
}

export function searchedTotal(listing: AnyListing, shape: Shape, p: Param): SQL {
  const { sources, source, where, names, most } = querySearch(listing, shape, p);
  return sql`WITH ${sources} SELECT COUNT(*) AS total, ${isCut(names, most)} AS is_estimate FROM ${source} WHERE ${and(where)}`;
}

/** The sources of a search, and the rows of the table that they find. */
function querySearch(listing: AnyListing, shape: Shape, p: Param) {
  const { table, search, split } = listing;
  const isShort = shape.search === "short" || !search;
  const most = Math.floor((2 * mostSearched) / (1 + countReadsPerRow(usedFilters(listing, shape))));
  const sources = isShort ? { newest: queryNewest(listing, p, most) } : search.sources(p, most);
  const found = isShort ? ["newest"] : search.found;
  const all = found.map((name) => sql`SELECT found FROM ${sql.identifier(name)}`);
  const chosen = split && shape.split ? [sql`(${isOneOf({ ...split, values: shape.split })})`] : [];
  const conditions = [
    sql`(${scopeOf(listing, p)})`,
    ...chosen,
    ...usedFilters(listing, shape).map(({ where }) => sql`(${where(p)})`),
    ...(isShort && search ? [search.holds(p)] : []),
  ];
  return {
    most,
    names: Object.keys(sources),
    sources: sql.join(
      Object.entries(sources).map(([name, rows]) => sql`${sql.identifier(name)} AS (${rows})`),
      sql`, `,
    ),
    source: sql`(${sql.join(all, sql` UNION `)}) CROSS JOIN ${table} ON ${table}.rowid = found`,
    where: conditions.map(unindexed),
  };
}

/** The newest rows of the account, for a term that is too short for the index. */
function queryNewest(listing: AnyListing, p: Param, most: number): SQL {
  const all: Shape = {
    names: [],
    search: "none",
    sort: "created_at",
    order: "desc",
    start: fromEnd,
    deep: false,
  };
  const limit = sql.raw(String(most + 1));
  return sql`SELECT on_page AS found FROM (${queryWalk(listing, all, p, { walk: chooseWalk(listing, all), limit })})`;
}
