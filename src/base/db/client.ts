import type { Env } from "../env.ts";
import { libsqlDb } from "./libsql.ts";
import { objectDb } from "./object.ts";
import type { Db, Result, Row, Statement } from "./port.ts";
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

/** The database beside the code: an object's own storage within it, else the deployment's. One per request, so usage is its own. */
export function openDb(env: Env): Db {
  return env.STORAGE ? repeatTransient(objectDb(env.STORAGE)) : openDirectory(env);
}

/** The deployment's database, which knows every account: libSQL where LIBSQL_URL is set, else D1. */
export function openDirectory(env: Env): Db {
  const { LIBSQL_URL: url, LIBSQL_AUTH_TOKEN: authToken } = env;
  return repeatTransient(url ? libsqlDb(url, authToken) : d1Db(env.DB));
}
