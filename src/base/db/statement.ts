import { and, eq, Param, Placeholder, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { drizzle } from "drizzle-orm/sqlite-proxy";
import type { Db, Result, Row, Statement, Value } from "./port.ts";
import { type Written, writeSql } from "./sql/write-sql.ts";

/** The rows that a statement of the builder returns: a select's, or those of an insert, update or delete with `returning`. */
export type RowOf<Query> = Query extends { _: { result: (infer R)[] } } ? R : Row;

/** The named parameters of a prepared statement, `p("account_seq")` in the builder. */
export type Params<Values> = {
  (name: keyof Values & string): Placeholder;
  readonly values?: Values;
};

/** Builds statements; never runs them (that is `read` and `commit`). */
export const build = drizzle(() => Promise.reject(new Error("statements are run by read() and commit()")));

/** A statement as the drivers take it. */
export function statement<Query extends SQLWrapper>(query: Query): Statement<RowOf<Query>> {
  const { sql, params } = writeSql(query.getSQL());
  return { sql: plannedOnce(sql), params: params as Value[] };
}

/**
 * A statement whose SQL is built once, on first use; each call only fills in the values. Building SQL for each
 * request would cost more than running it.
 */
export function prepare<Values extends Record<string, Value>, Query extends SQLWrapper>(
  define: (p: Params<Values>) => Query,
): (values: Values) => Statement<RowOf<Query>> {
  return prepareWritten(() => writeSql(define((name) => sql.placeholder(name)).getSQL()));
}

/** A statement whose SQL is written on first use. */
export function prepareWritten<R>(write: () => Written): (values: Record<string, Value>) => Statement<R> {
  let built: { sql: string; fills: Fill[] } | undefined;
  return (values) => {
    built ??= fillable(write());
    return { sql: built.sql, params: built.fills.map((fill) => fill(values)) };
  };
}

/** A parameter of a prepared statement, given the values. */
type Fill = (values: Record<string, Value>) => Value;

/** SQL that the builder cannot express. `R` is what one row of it is; nothing checks that. */
export function raw<R>(sql: string, ...params: Value[]): Statement<R> {
  return { sql: plannedOnce(sql), params };
}

/**
 * A sub-select as a column of a select from one table. Drizzle writes the columns that stand in such a column without their
 * tables, so that `inner.account_seq = outer.account_seq` would compare a column with itself; it leaves what is nested alone.
 */
export function subSelect<T>(query: SQL<T>, name: string): SQL.Aliased<T> {
  return sql<T>`${query}`.as(name);
}

/** Each of the columns has the value of the parameter that is named as it is. */
export function columnsEqual<Name extends string>(
  table: Record<NoInfer<Name>, SQLiteColumn>,
  p: (name: NoInfer<Name>) => Placeholder,
  ...names: Name[]
): SQL | undefined {
  return and(...names.map((name) => eq(table[name], p(name))));
}

/** The column is one of the values of a JSON array: one parameter, however many values. */
export function inJson(column: SQLWrapper, json: SQLWrapper | string): SQL {
  return sql`${column} IN (SELECT value FROM json_each(${json}))`;
}

/** Reads in one trip to the database, however many statements. */
export async function read<R extends unknown[]>(db: Db, statements: StatementsOf<R>): Promise<RowsOf<R>> {
  const results = await db.batch(statements, "read");
  return results.map((result) => result.rows) as RowsOf<R>;
}

/** Reads a statement, and further ones by name, in one trip. */
export async function readTogether<R, Named extends Reads>(
  db: Db,
  statement: Statement<R>,
  alongside: Named,
): Promise<[R[], RowsBy<Named>]> {
  const [result, ...others] = await db.batch([statement, ...statementsIn(alongside)], "read");
  return [(result?.rows ?? []) as R[], rowsBy(alongside, others)];
}

/** Reads in one trip what a decision needs, each by its name. */
export async function readNamed<Named extends Reads>(db: Db, named: Named): Promise<RowsBy<Named>> {
  return rowsBy(named, await db.batch(statementsIn(named), "read"));
}

/** All rows of one read. */
export async function rows<R>(db: Db, statement: Statement<R>): Promise<R[]> {
  const [result] = await db.batch([statement], "read");
  return (result?.rows ?? []) as R[];
}

/** The first row of one read, or undefined. */
export async function first<R>(db: Db, statement: Statement<R>): Promise<R | undefined> {
  return (await rows(db, statement))[0];
}

function statementsIn(named: Reads): Statement[] {
  return Object.values(named).flat();
}

/** The results, which are in the order of the names, by name. */
function rowsBy<Named extends Reads>(named: Named, results: Result[]): RowsBy<Named> {
  const left = [...results];
  const found = Object.entries(named).map(([name, statements]) => [
    name,
    left.splice(0, [statements].flat().length).flatMap(({ rows }) => rows),
  ]);
  return Object.fromEntries(found);
}

/** Finds out once what each parameter is: drizzle's own `fillPlaceholders` asks anew for each call. */
function fillable({ sql, params }: Written): { sql: string; fills: Fill[] } {
  return { sql: plannedOnce(sql), fills: params.map(fillOf) };
}

/**
 * SQLite plans a statement by the value of a bare parameter in LIMIT, and so plans it anew each time that one is bound: ten times the cost of a
 * look-up by id. It does not look into a sum.
 */
function plannedOnce(sql: string): string {
  const known = planned.get(sql);
  if (known !== undefined) return known;
  const text = sql.replaceAll(/\blimit \?\d*/gi, "$& + 0");
  if (planned.size < plannedMax) planned.set(sql, text);
  return text;
}

/** The texts are few; lists with many filters could make more of them than are worth keeping. */
const planned = new Map<string, string>();
const plannedMax = 2000;

function fillOf(param: unknown): Fill {
  if (param instanceof Placeholder) return ({ [param.name]: value }) => requireValue(param.name, value);
  if (!(param instanceof Param && param.value instanceof Placeholder)) return () => param as Value;
  const { encoder, value: placeholder } = param;
  const { name } = placeholder;
  return ({ [name]: value }) => encoder.mapToDriverValue(requireValue(name, value)) as Value;
}

function requireValue(name: string, value: Value | undefined): Value {
  if (value === undefined) throw new Error(`A statement has no value for "${name}"`);
  return value;
}

/** Statements whose rows are of these types, and those rows. */
type StatementsOf<Found extends unknown[]> = { [K in keyof Found]: Statement<Found[K]> };
type RowsOf<Found extends unknown[]> = { [K in keyof Found]: Found[K][] };

/** Statements by name: a name has one, or any number whose rows are of one type. */
export type Reads = Record<string, Statement | Statement[]>;
export type NoReads = Record<never, never>;

/** The rows that the statements of each name have found. */
export type RowsBy<Named extends Reads> = { [Name in keyof Named]: RowIn<Named[Name]>[] };
type RowIn<Named> = Named extends Statement<infer R> ? R : Named extends (infer Each)[] ? RowIn<Each> : never;
