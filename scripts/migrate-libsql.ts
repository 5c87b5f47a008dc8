// Applies migrations/*.sql to the libSQL database in LIBSQL_URL (and LIBSQL_AUTH_TOKEN), each once and whole.
import { readFileSync } from "node:fs";
import { commandLine } from "./command-line.ts";
import { migrationNames } from "./migrations.ts";
import { root } from "./paths.ts";
import { progressOf } from "./progress.ts";
import { libsqlClient } from "./storage/libsql.ts";

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

await client.execute(
  "CREATE TABLE IF NOT EXISTS applied_migrations (name TEXT PRIMARY KEY, applied_at TEXT NOT NULL)",
);
const { rows } = await client.execute("SELECT name FROM applied_migrations");
const pending = migrationNames().filter((name) => !rows.some((row) => row.name === name));

const progress = progressOf("Migrating", pending.length);
for (const name of pending) {
  const note = `INSERT INTO applied_migrations VALUES ('${name}', '${new Date().toISOString()}');`;
  await client.executeMultiple(
    `BEGIN IMMEDIATE;\n${note}\n${readFileSync(`${root}migrations/${name}`, "utf8")}\nCOMMIT;`,
  );
  progress.advance();
  console.log(`Applied ${name}`);
}
progress.end();
console.log(`${pending.length} applied, ${rows.length} before`);
client.close();
