import { fillPlaceholders, type Placeholder, type SQL, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/sqlite-proxy";
import type { Db, Result, Row, Statement, Value } from "./client.ts";

type Built = { toSQL(): { sql: string; params: unknown[] } };

/** Builds statements; never runs them (that is `read` and `commit`). */
export const build = drizzle(() => Promise.reject(new Error("statements are run by read() and commit()")));

/** A statement as the drivers take it. */
export const statement = (query: Built): Statement => {
  const { sql, params } = query.toSQL();
  return { sql, params: params as Value[] };
};

/**
 * A statement whose SQL drizzle builds once, on first use; each call only fills in the values
 * (`p("name")` in the builder). Building SQL per request would cost more than running it.
 */
export const prepare = <const Values extends Record<string, Value>>(
  define: (p: (name: keyof Values & string) => Placeholder) => Built,
): ((values: Values) => Statement) => {
  let built: { sql: string; params: unknown[] } | undefined;
  return (values) => {
    built ??= define((name) => sql.placeholder(name)).toSQL();
    return { sql: built.sql, params: fillPlaceholders(built.params, values) as Value[] };
  };
};

/**
 * A sub-select as a column of a select from one table. Drizzle writes the columns that stand in such a column without their
 * tables, so that `inner.account_id = outer.account_id` would compare a column with itself; it leaves what is nested alone.
 */
export const subSelect = <T>(query: SQL<T>, name: string): SQL.Aliased<T> => sql<T>`${query}`.as(name);

/** Reads in one trip to the database, however many statements. */
export const read = async <R extends Row[]>(
  db: Db,
  statements: { [K in keyof R]: Statement },
): Promise<{ [K in keyof R]: R[K][] }> => {
  const results = await db.batch(statements, "read");
  return results.map((result) => result.rows) as { [K in keyof R]: R[K][] };
};

/** All rows of one read. */
export const rows = async <R>(db: Db, statement: Statement): Promise<R[]> => {
  const [result] = (await db.batch([statement], "read")) as unknown as [Result<R>];
  return result.rows;
};

/** The first row of one read, or undefined. */
export const first = async <R>(db: Db, statement: Statement): Promise<R | undefined> =>
  (await rows<R>(db, statement))[0];
