// Applies migrations/*.sql to the libSQL database in LIBSQL_URL (and LIBSQL_AUTH_TOKEN), each once and whole.
import { readdirSync, readFileSync } from "node:fs";
import { root } from "./paths.ts";
import { libsqlClient } from "./storage/libsql.ts";

const client = libsqlClient();
if (!client) {
  console.error("LIBSQL_URL is not set");
  process.exit(2);
}

await client.execute(
  "CREATE TABLE IF NOT EXISTS applied_migrations (name TEXT PRIMARY KEY, applied_at TEXT NOT NULL)",
);
const { rows } = await client.execute("SELECT name FROM applied_migrations");
const pending = readdirSync(`${root}migrations`)
  .filter((name) => name.endsWith(".sql") && !rows.some((row) => row.name === name))
  .sort();

for (const name of pending) {
  const note = `INSERT INTO applied_migrations VALUES ('${name}', '${new Date().toISOString()}');`;
  await client.executeMultiple(
    `BEGIN IMMEDIATE;\n${note}\n${readFileSync(`${root}migrations/${name}`, "utf8")}\nCOMMIT;`,
  );
  console.log(`Applied ${name}`);
}
console.log(`${pending.length} applied, ${rows.length} before`);
client.close();
