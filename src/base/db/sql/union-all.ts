import { type SQL, sql } from "drizzle-orm";

/** Queries one after the other, however many. With an order, SQLite merges their rows one by one. */
export function unionAll(selects: SQL[]): SQL {
  if (selects.length <= mostParts) return sql.join(selects, sql` UNION ALL `);
  const groups = selects
    .flatMap((_, nth) => (nth % mostParts === 0 ? [selects.slice(nth, nth + mostParts)] : []))
    .map((group) => sql`SELECT * FROM (${sql.join(group, sql` UNION ALL `)})`);
  return unionAll(groups);
}

/** D1 takes so many parts in a UNION. */
const mostParts = 5;
