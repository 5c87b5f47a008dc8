import { env } from "cloudflare:workers";
import { getTableColumns } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { d1Db } from "../../src/base/db/client.ts";
import { commit } from "../../src/base/db/commit.ts";
import type { Db, Row, Statement } from "../../src/base/db/port.ts";
import { build, rows, statement } from "../../src/base/db/statement.ts";
import { areOnObjects, rowsOfObjects } from "./objects.ts";

/** The database that knows every account and its keys. */
export function directoryDb(): Db {
  return d1Db(env.DB);
}

/** The rows of the tests' accounts, on whichever engine they are. */
export function testDb(): Db {
  return areOnObjects ? rowsOfObjects() : directoryDb();
}

/** The statement that puts a row into a table, whatever the API would say of it. */
export function insertOf<T extends SQLiteTable>(table: T, row: T["$inferInsert"]): Statement {
  return statement(build.insert(table).values(row));
}

export async function insert<T extends SQLiteTable>(
  table: T,
  row: T["$inferInsert"],
): Promise<T["$inferInsert"]> {
  await commit({ db: testDb() }, [insertOf(table, row)]);
  return row;
}

/** The statement that puts a row into a table, with something in each required column that is not named. */
export function someOf<T extends SQLiteTable>(table: T, values: Partial<T["$inferInsert"]>): Statement {
  const required = Object.entries(getTableColumns(table)).filter(
    ([, column]) => column.notNull && !column.primary,
  );
  const filled = required.map(([name, column]) => [
    name,
    somethingFor(name, column.dataType, column.enumValues),
  ]);
  return insertOf(table, { ...Object.fromEntries(filled), ...values } as T["$inferInsert"]);
}

/** Rows as the database holds them. */
export function select<R = Row>(sql: string, ...params: (string | number | null)[]): Promise<R[]> {
  return rows<R>(testDb(), { sql, params });
}

export function execute(sql: string, ...params: (string | number | null)[]): Promise<unknown> {
  return commit({ db: testDb() }, [{ sql, params }]);
}

function somethingFor(name: string, type: string, allowed: readonly string[] | undefined): string | number {
  if (allowed?.[0] !== undefined) return allowed[0];
  if (type === "number") return 1;
  if (name.endsWith("_at")) return "2026-01-01T00:00:00.000Z";
  return name.endsWith("_date") ? "2026-01-01" : "";
}
