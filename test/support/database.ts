import { env } from "cloudflare:workers";
import { getTableColumns, is, SQL, type SQLWrapper } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { selectSeq } from "../../src/base/db/account-seq.ts";
import { d1Db } from "../../src/base/db/client.ts";
import type { AccountSeq } from "../../src/base/db/columns.ts";
import { commit } from "../../src/base/db/commit.ts";
import type { Db, Row, Statement, Value } from "../../src/base/db/port.ts";
import { statementsByColumns } from "../../src/base/db/row-writes.ts";
import { build, type Params, prepare, rows, statement } from "../../src/base/db/statement.ts";
import { areOnObjects, dbOfObject, rowsOfObjects } from "./objects.ts";

/** The database that knows every account and its keys. */
export function directoryDb(): Db {
  return d1Db(env.DB);
}

/**
 * The rows of the tests' accounts, on whichever engine they are. Statements that name an account by its number alone need it given: every
 * object has that number.
 */
export function testDb(account?: { id: string }): Db {
  if (!areOnObjects) return directoryDb();
  return account ? dbOfObject(account.id) : rowsOfObjects();
}

/** The numbers that the tests' accounts have, or had before they were erased: in the directory, and where their rows are. */
export const numbersOf = new Map<string, { directory: AccountSeq; own: AccountSeq }>();

/** A row as tests write it: it names its account by id, as whatever is outside of a database does. */
export type Given<Row> = Row extends { account_seq: unknown }
  ? Omit<Row, "account_seq"> & { account_id: string }
  : Row;

/** The statement that puts a row into a table, whatever the API would say of it. */
export function insertOf<T extends SQLiteTable>(table: T, row: Given<T["$inferInsert"]>): Statement {
  const values = Object.entries(row as Record<string, Value>).filter(([, value]) => value !== undefined);
  if (values.some(([, value]) => is(value, SQL)))
    return statement(build.insert(table).values(stored(row) as T["$inferInsert"]));
  return insertsOf(
    table,
    values.map(([name]) => name),
  )(Object.fromEntries(values));
}

/** The SQL is built once for each table and set of columns, as the Worker's own is. */
const insertsOf = statementsByColumns((table, names) =>
  prepare((p: Params<Record<string, Value>>) =>
    build
      .insert(table)
      .values(stored(Object.fromEntries(names.map((name) => [name, p(name)]))) as typeof table.$inferInsert),
  ),
);

export async function insert<T extends SQLiteTable>(
  table: T,
  row: Given<T["$inferInsert"]>,
): Promise<Given<T["$inferInsert"]>> {
  await commit({ db: testDb() }, [insertOf(table, row)]);
  return row;
}

/** The statement that puts a row into a table, with something in each required column that is not named. */
export function someOf<T extends SQLiteTable>(
  table: T,
  values: Partial<Given<T["$inferInsert"]>>,
): Statement {
  const required = Object.entries(getTableColumns(table)).filter(
    ([, column]) => column.notNull && !column.primary,
  );
  const filled = required.map(([name, column]) => [
    name,
    somethingFor(name, column.dataType, column.enumValues),
  ]);
  return insertOf(table, { ...Object.fromEntries(filled), ...values } as Given<T["$inferInsert"]>);
}

/** Rows as the database holds them. */
export function select<R = Row>(sql: string, ...params: (string | number | null)[]): Promise<R[]> {
  return rows<R>(testDb(), { sql, params });
}

export function execute(sql: string, ...params: (string | number | null)[]): Promise<unknown> {
  return commit({ db: testDb() }, [{ sql, params }]);
}

function stored(row: object): object {
  const { account_id, ...rest } = row as { account_id?: SQLWrapper | string };
  return account_id === undefined ? row : { ...rest, account_seq: selectSeq(account_id) };
}

function somethingFor(name: string, type: string, allowed: readonly string[] | undefined): string | number {
  if (allowed?.[0] !== undefined) return allowed[0];
  if (type === "number") return 1;
  if (name.endsWith("_at")) return "2026-01-01T00:00:00.000Z";
  return name.endsWith("_date") ? "2026-01-01" : "";
}
