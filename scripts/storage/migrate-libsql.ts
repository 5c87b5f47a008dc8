import type { Client } from "@libsql/client";
import { migrationNames, migrationText } from "../migrations.ts";
import { progressOf } from "../progress.ts";

/** Applies migrations/ to a libSQL database, each once and whole. */
export async function migrateLibsql(client: Client, say: (line: string) => void): Promise<void> {
  await client.execute(
    "CREATE TABLE IF NOT EXISTS applied_migrations (name TEXT PRIMARY KEY, applied_at TEXT NOT NULL)",
  );
  const { rows } = await client.execute("SELECT name FROM applied_migrations");
  const pending = migrationNames().filter((name) => !rows.some((row) => row.name === name));
  const progress = progressOf("Migrating", pending.length);
  for (const name of pending) {
    const note = `INSERT INTO applied_migrations VALUES ('${name}', '${new Date().toISOString()}');`;
    await client.executeMultiple(`BEGIN IMMEDIATE;\n${note}\n${migrationText(name)}\nCOMMIT;`);
    progress.advance();
    say(`Applied ${name}`);
  }
  progress.end();
  say(`${pending.length} applied, ${rows.length} before`);
}
