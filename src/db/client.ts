import type { Client, InStatement, ResultSet } from "@libsql/client";
import type { Engine, Env } from "../env.ts";
import { objectDb } from "./object.ts";
import { countTrip, emptyUsage, type Usage } from "./usage.ts";

export type Value = string | number | null;
export type Row = Record<string, Value>;
/** SQL with its parameters; `row` exists for the type alone: what one row of the result is. */
export type Statement<R = unknown> = { sql: string; params: Value[]; readonly row?: R };
export type Result<R = Row> = { rows: R[] };

/**
 * The storage port: D1, libSQL or the storage of an object, the same statements on all. There are no interactive transactions:
 * `batch` is one atomic unit, and its only callers are `commit` (writes) and `read` (several reads in one trip).
 */
export interface Db {
  /** The engine of the accounts whose rows this database has: `d1` is the deployment's database, also where that is libSQL. */
  readonly engine: Engine;
  readonly usage: Usage;
  batch(statements: Statement[], mode: "read" | "write"): Promise<Result[]>;
}

/** A command beside the local server may hold the lock of its file. Such a batch has done nothing and may be repeated. */
const busy = /SQLITE_BUSY|database is locked/;
const maxTries = 6;

const unlessBusy = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === maxTries || !busy.test(String(error))) throw error;
      await new Promise((resolve) => setTimeout(resolve, 10 * 2 ** tries));
    }
  }
};

export const d1Db = (d1: Pick<D1Database, "prepare" | "batch">, usage = emptyUsage()): Db => {
  const bound = ({ sql, params }: Statement) => {
    const prepared = d1.prepare(sql);
    return params.length === 0 ? prepared : prepared.bind(...params);
  };
  const toResult = (result: D1Result<Row>): Result => {
    usage.rows_read += result.meta.rows_read;
    usage.rows_written += result.meta.rows_written;
    return { rows: result.results };
  };
  return {
    engine: "d1",
    usage,
    async batch(statements) {
      countTrip(usage, statements);
      const [only, ...more] = statements;
      if (only && more.length === 0) return [toResult(await unlessBusy(() => bound(only).run<Row>()))];
      return (await unlessBusy(() => d1.batch<Row>(statements.map(bound)))).map(toResult);
    },
  };
};

export const libsqlDb = (open: () => Promise<Client>): Db => {
  const usage = emptyUsage();
  let client: Promise<Client> | undefined;
  const toRow = (columns: string[], row: ArrayLike<unknown>): Row =>
    Object.fromEntries(columns.map((column, index) => [column, row[index] as Value]));
  const toResult = ({ columns, rows }: ResultSet): Result => ({
    rows: rows.map((row) => toRow(columns, row)),
  });
  return {
    engine: "d1",
    usage,
    async batch(statements, mode) {
      countTrip(usage, statements);
      client ??= open();
      const opened = await client;
      const prepared = statements.map(({ sql, params }): InStatement => ({ sql, args: params }));
      const [only, ...more] = prepared;
      // One statement is atomic by itself; a batch would open a transaction for it.
      if (only && more.length === 0) return [toResult(await opened.execute(only))];
      return (await opened.batch(prepared, mode)).map(toResult);
    },
  };
};

/** The database beside the code: an object's own storage within it, else the deployment's. One per request, so usage is its own. */
export const openDb = (env: Env): Db => (env.STORAGE ? objectDb(env.STORAGE) : openDirectory(env));

/** The deployment's database, which knows every account: libSQL where LIBSQL_URL is set, else D1. */
export const openDirectory = (env: Env): Db => {
  const { LIBSQL_URL: url, LIBSQL_AUTH_TOKEN: authToken } = env;
  if (!url) return d1Db(env.DB);
  return libsqlDb(async () => {
    const { createClient } = await import("@libsql/client/http");
    return createClient(authToken ? { url, authToken } : { url });
  });
};
