// Applies migrations/*.sql to the libSQL database in LIBSQL_URL (and LIBSQL_AUTH_TOKEN), each once and whole.
import { commandLine } from "./command-line.ts";
import { libsqlClient } from "./storage/libsql.ts";
import { migrateLibsql } from "./storage/migrate-libsql.ts";

commandLine({
  usage: `Usage: LIBSQL_URL=… [LIBSQL_AUTH_TOKEN=…] npm run migrate:libsql

Applies migrations/*.sql to that libSQL database, each once and whole.`,
  options: {},
});

const client = libsqlClient();
if (!client) {
  console.error("LIBSQL_URL is not set");
  process.exit(2);
}
await migrateLibsql(client, console.log);
client.close();
