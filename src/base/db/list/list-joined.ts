import { type SQL, sql } from "drizzle-orm";
import type { Param } from "../filters.ts";
import { type AnyListing, keyOf, orderOf, type Shape } from "./list-definition.ts";

/** The rows of a page, with what is joined to them. */
export function joinRows(listing: AnyListing, shape: Shape, p: Param, rows: SQL, isWindowed = false): SQL {
  const { key, table, scope, joins = sql`` } = listing;
  const within = key ? sql`${scope(p)} AND ` : sql``;
  const last = isWindowed ? sql`, is_end` : sql``;
  const order = orderOf(listing, shape);
  return sql`SELECT ${shownColumns(listing)}${last} FROM (${rows}) CROSS JOIN ${table}
    ON ${within}${keyOf(listing)} = on_page ${joins} ${order}${last}`;
}

export function shownColumns({ columns }: AnyListing): SQL {
  return sql.join(
    Object.entries(columns).map(([name, value]) => sql`${value} AS ${sql.identifier(name)}`),
    sql`, `,
  );
}
