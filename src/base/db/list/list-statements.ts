import { Placeholder, type SQL, sql } from "drizzle-orm";
import type { Param } from "../filters.ts";
import type { Statement, Value } from "../port.ts";
import { type Written, writeSql } from "../sql/write-sql.ts";
import { prepareWritten } from "../statement.ts";
import type { AnyListing, Shape } from "./list-definition.ts";
import { type BoundedQuery, countedRows, isCounted, pageQuery, totalQuery } from "./list-sql.ts";
import type { Sample } from "./search.ts";
import { isSearched } from "./search-sql.ts";

/** A total; of a search whose sources have more, the bounds of what it has taken, too. */
export type CountedTotal = { total: number; is_estimate?: number } & Partial<Sample>;
export type Prepared<R> = (values: Record<string, Value>) => Statement<R>;

/** The statements of a shape, and how they are bounded. */
export type Statements<R> = Omit<BoundedQuery, "query"> & {
  page: Prepared<R>;
  total: Prepared<CountedTotal>;
  /** Whether counters tell the total, and how many rows are counted where they do not. */
  isCounted: boolean;
  counted: number;
  isSearched: boolean;
};

/** The statements of a list, whose SQL is built once for each shape. `R` is what a row of it is. */
export function statementsByShape<R>(listing: AnyListing): (shape: Shape) => Statements<R> {
  const known = new Map<string, Statements<R>>();
  return (shape) => {
    const key = JSON.stringify(shape);
    const existing = known.get(key);
    if (existing) return existing;
    const { query, ...bounds } = pageQuery(listing, shape, named);
    const statements: Statements<R> = {
      ...bounds,
      page: prepareQuery<R>(query),
      total: prepareQuery<CountedTotal>(totalQuery(listing, shape, named)),
      isCounted: isCounted(listing, shape),
      counted: countedRows(listing, shape),
      isSearched: isSearched(listing, shape),
    };
    known.set(key, statements);
    return statements;
  };
}

/** The statement of a query written as SQL. */
export function prepareQuery<R>(query: SQL): Prepared<R> {
  return prepareWritten(() => numberParams(writeSql(query)));
}

/** Values by name, in a query that is prepared. */
export const named: Param = (name) => sql.placeholder(name);

/** Each value once, however often it stands in the SQL: D1 takes 100. No text of this SQL has a question mark of its own. */
function numberParams({ sql: text, params }: Written): Written {
  const unique: unknown[] = [];
  let nth = 0;
  const written = text.replaceAll("?", () => {
    const param = params[nth++];
    const isIt = (other: unknown) =>
      param instanceof Placeholder && other instanceof Placeholder
        ? other.name === param.name
        : other === param;
    const known = unique.findIndex(isIt);
    return `?${known >= 0 ? known + 1 : unique.push(param)}`;
  });
  return { sql: written, params: unique };
}
