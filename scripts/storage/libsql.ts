import { type Client, createClient } from "@libsql/client";
import { libsqlDb } from "../../src/base/db/client.ts";
import type { Db } from "../../src/base/db/port.ts";

/** A client of the database in LIBSQL_URL, or undefined where it is not set. */
export function libsqlClient(): Client | undefined {
  const { LIBSQL_URL: url, LIBSQL_AUTH_TOKEN: authToken } = process.env;
  if (!url) return undefined;
  return createClient(authToken ? { url, authToken } : { url });
}

export function openLibsql(): Db | undefined {
  const client = libsqlClient();
  return client && libsqlDb(async () => client);
}
