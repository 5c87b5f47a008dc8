import type { Env } from "../env.ts";
import { libsqlDb } from "./libsql.ts";
import { requireMinVersion } from "./min-version.ts";
import { objectDb } from "./object.ts";
import type { Db, Result, Row, Statement } from "./port.ts";
import { transienceOf } from "./transient-errors.ts";
import { countTrip, emptyUsage } from "./usage.ts";
import { joinTrips } from "./wrapped/joined.ts";
import { repeatTransient } from "./wrapped/repeating.ts";

type D1 = Pick<D1Database, "prepare" | "batch">;
type D1Trips = (statements: D1PreparedStatement[], again: () => void) => Promise<D1Result<Row>[]>;

/** D1, or one that makes its trips in another way. */
export function d1Db(d1: D1, usage = emptyUsage(), trips: D1Trips = ownTrips(d1)): Db {
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
      const results = await trips(statements.map(bound), () => countTrip(usage, statements));
      return results.map(toResult);
    },
  };
}

function ownTrips(d1: D1): D1Trips {
  return async (statements) => {
    const [only, ...more] = statements;
    return only && more.length === 0 ? [await only.run<Row>()] : d1.batch<Row>(statements);
  };
}

/** The database beside the code: an object's own storage within it, else the deployment's. One per request, so usage is its own. */
export function openDb(env: Env): Db {
  return env.STORAGE ? repeatTransient(objectDb(env.STORAGE)) : openDirectory(env);
}

/** Opens a database for each work that goes on side by side in an invocation. On D1 they make their trips together. */
export function openDbs(env: Env): () => Db {
  if (env.STORAGE || env.LIBSQL_URL) return () => openDb(env);
  const trips = joinTrips((statements: D1PreparedStatement[]) => env.DB.batch<Row>(statements), {
    gather: () => new Promise((resolve) => setTimeout(resolve)),
    hasDoneNothing: (error) => transienceOf(error) === undefined,
    itemsMax: joinedMax,
  });
  return () => repeatTransient(requireMinVersion(d1Db(env.DB, emptyUsage(), trips), () => d1Db(env.DB)));
}

/** About what two jobs run at once: a longer batch would keep the database from others. */
const joinedMax = 100;

/** The deployment's database, which knows every account: libSQL where LIBSQL_URL is set, else D1. */
export function openDirectory(env: Env): Db {
  const { LIBSQL_URL: url, LIBSQL_AUTH_TOKEN: authToken } = env;
  const open = (): Db => (url ? libsqlDb(url, authToken) : d1Db(env.DB));
  return repeatTransient(requireMinVersion(open(), open));
}
