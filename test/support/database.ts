import { env } from "cloudflare:workers";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { d1Db, type Row, type Statement } from "../../src/db/client.ts";
import { commit } from "../../src/db/commit.ts";
import { build, rows, statement } from "../../src/db/statement.ts";

export const testDb = () => d1Db(env.DB);

/** The statement that puts a row into a table, whatever the API would say of it. */
export const insertOf = <T extends SQLiteTable>(table: T, row: T["$inferInsert"]): Statement =>
  statement(build.insert(table).values(row));

export const insert = async <T extends SQLiteTable>(
  table: T,
  row: T["$inferInsert"],
): Promise<T["$inferInsert"]> => {
  await commit({ db: testDb() }, [insertOf(table, row)]);
  return row;
};

/** Rows as the database holds them. */
export const select = <R = Row>(sql: string, ...params: (string | number | null)[]): Promise<R[]> =>
  rows<R>(testDb(), { sql, params });

export const execute = (sql: string, ...params: (string | number | null)[]): Promise<unknown> =>
  commit({ db: testDb() }, [{ sql, params }]);
