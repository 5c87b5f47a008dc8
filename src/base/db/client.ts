import type { Client, InStatement, ResultSet } from "@libsql/client";
import type { Env } from "../env.ts";
import { objectDb } from "./object.ts";
import type { Db, Result, Row, Statement, Value } from "./port.ts";
import { countTrip, emptyUsage } from "./usage.ts";
import { repeatTransient } from "./wrapped/repeating.ts";

export function d1Db(d1: Pick<D1Database, "prepare" | "batch">, usage = emptyUsage()): Db {
  const bound = ({ sql, params }: Statement) => {
    const prepared = d1.prepare(sql);
    return params.length === 0 ? prepared : prepared.bind(...params);
  };
  let bytes: number | undefined;
  const toResult = (result: D1Result<Row>): Result => {
    usage.rows_read += result.meta.rows_read;
    usage.rows_written += result.meta.rows_written;
    bytes = result.meta.size_after;
    return { rows: result.results };
  };
  return {
    engine: "d1",
    usage,
    bytes: () => bytes,
    async batch(statements) {
      countTrip(usage, statements);
      const [only, ...more] = statements;
      if (only && more.length === 0) return [toResult(await bound(only).run<Row>())];
      return (await d1.batch<Row>(statements.map(bound))).map(toResult);
    },
  };
}

export function libsqlDb(open: () => Promise<Client>): Db {
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
}

/** The database beside the code: an object's own storage within it, else the deployment's. One per request, so usage is its own. */
export function openDb(env: Env): Db {
  return env.STORAGE ? repeatTransient(objectDb(env.STORAGE)) : openDirectory(env);
}

/** The deployment's database, which knows every account: libSQL where LIBSQL_URL is set, else D1. */
export function openDirectory(env: Env): Db {
  const { LIBSQL_URL: url, LIBSQL_AUTH_TOKEN: authToken } = env;
  if (!url) return repeatTransient(d1Db(env.DB));
  const libsql = libsqlDb(async () => {
    const { createClient } = await import("@libsql/client/http");
    const config = { url, fetch: boundedFetch(answer_ms_max) };
    return createClient(authToken ? { ...config, authToken } : config);
  });
  return repeatTransient(libsql);
}

/** The time that D1 lets a batch run. A server of libSQL itself may never answer (docs/operating.md#libsql-or-turso). */
const answer_ms_max = 30_000;

/** `fetch` that fails where the answer is not there, body included, after so many milliseconds. */
function boundedFetch(ms_max: number): typeof fetch {
  return (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(ms_max) });
}
