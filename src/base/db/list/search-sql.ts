import { type SQL, sql } from "drizzle-orm";
import type { Param } from "../filters.ts";
import {
  type AnyListing,
  and,
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
import { boundOf, mostSearched, type Sample, type Search } from "./search.ts";

/** A search whose rows its index finds, and no other filter. */
export function isSearched(listing: AnyListing, shape: Shape): boolean {
  const isByIndex = shape.search === "indexed" || shape.search === "sampled";
  return isByIndex && !usedFilters(listing, shape).some(({ kind }) => kind === "narrow");
}

export function searchedPage(listing: AnyListing, shape: Shape, p: Param): SQL {
  const { sources, source, where } = querySearch(listing, shape, p);
  const rows = sql`SELECT ${keyOf(listing)} AS on_page FROM ${source}
    WHERE ${and([...where, ...conditionsBehindStart(listing, shape, p).map(unindexed)])}
    ${orderOf(listing, shape, unindexed)} LIMIT ${p("size")} OFFSET ${p("offset")}`;
  return sql`WITH ${sources} ${joinRows(listing, shape, p, rows)}`;
}

/** The total of a sample, whether there is more, and its bounds. */
export function searchedTotal(listing: AnyListing, shape: Shape, p: Param): SQL {
  const { sources, source, where } = querySearch(listing, shape, p);
  const bounds = boundNames.map((name) => sql`${bound(name)} AS ${sql.raw(name)}`);
  return sql`WITH ${sources} SELECT COUNT(*) AS total, ${bound("own")} + ${bound("customers")} > 0 AS is_estimate,
    ${sql.join(bounds, sql`, `)} FROM ${source} WHERE ${and(where)}`;
}

const boundNames = ["own", "customers", "newest"] as const;

/** A bound of the sample that the request takes. */
function bound(name: keyof Sample): SQL {
  return sql`(SELECT ${sql.raw(`${name}_from`)} FROM sample)`;
}

/** The sources of a search, and the rows of the table that they find. */
function querySearch(listing: AnyListing, shape: Shape, p: Param) {
  const { table, split } = listing;
  const search = listing.search as Search;
  const isBounded = shape.search === "sampled";
  const most = Math.floor((2 * mostSearched) / (1 + countReadsPerRow(usedFilters(listing, shape))));
  // The rows that hold the term may since be twice those of a known sample.
  const sources = search.sources(p, isBounded ? 2 * most : most, isBounded);
  const sample = Object.entries(search.sample(most)).map(
    ([name, value]) => sql`${value} AS ${sql.raw(`${name}_from`)}`,
  );
  const bounds = isBounded ? [] : [sql`sample AS MATERIALIZED (SELECT ${sql.join(sample, sql`, `)})`];
  const all = search.found.map((name) => {
    const own = isBounded ? boundOf(p, "own") : bound("own");
    const customers = isBounded ? boundOf(p, "customers") : bound("customers");
    const within = name === "own" ? sql`found >= ${own}` : sql`customer > ${customers}`;
    return sql`SELECT found FROM ${sql.identifier(name)} WHERE ${within}`;
  });
  const chosen = split && shape.split ? [sql`(${isOneOf({ ...split, values: shape.split })})`] : [];
  const conditions = [
    sql`(${scopeOf(listing, p)})`,
    ...chosen,
    ...usedFilters(listing, shape).map(({ where }) => sql`(${where(p)})`),
  ];
  return {
    sources: sql.join(
      [
        ...Object.entries(sources).map(
          ([name, rows]) => sql`${sql.identifier(name)} AS MATERIALIZED (${rows})`,
        ),
        ...bounds,
      ],
      sql`, `,
    ),
    source: sql`(${sql.join(all, sql` UNION `)}) CROSS JOIN ${table} ON ${table}.rowid = found`,
    where: conditions.map(unindexed),
  };
}
