import { type Client, createClient, type InStatement, type ResultSet } from "@libsql/client";
import type { Db, Result, Row, Value } from "../../src/base/db/port.ts";
import { countTrip, emptyUsage } from "../../src/base/db/usage.ts";

/** A client of the database in LIBSQL_URL, or undefined where it is not set. It may be a file. */
export function libsqlClient(): Client | undefined {
  const { LIBSQL_URL: url, LIBSQL_AUTH_TOKEN: authToken } = process.env;
  return url ? openClient(url, authToken) : undefined;
}

export function openClient(url: string, authToken?: string): Client {
  return createClient(authToken ? { url, authToken } : { url });
}

export function openLibsql(): Db | undefined {
  const client = libsqlClient();
  return client && clientDb(client);
}

/** The storage port over libSQL's own client. */
export function clientDb(client: Client): Db {
  const usage = emptyUsage();
  return {
    engine: "d1",
    usage,
    async batch(statements, mode) {
      countTrip(usage, statements);
      const prepared = statements.map(({ sql, params }): InStatement => ({ sql, args: params }));
      return (await client.batch(prepared, mode)).map(toResult);
    },
  };
}

function toResult({ columns, rows }: ResultSet): Result {
  return { rows: rows.map((row) => toRow(columns, row)) };
}

function toRow(columns: string[], row: ArrayLike<unknown>): Row {
  return Object.fromEntries(columns.map((column, index) => [column, row[index] as Value]));
}
