import { existsSync } from "node:fs";
import { versionFault } from "../base/db/min-version.ts";
import type { Log } from "../base/lib/log.ts";
import { applyMigration } from "../runtime/backfills/apply-migration.ts";
import { migrations } from "./migrations.ts";
import type { Sqlite } from "./sqlite.ts";

/**
 * Brings a file to the schema of this version, after a copy of it was made beside it. Throws where a later version has left this one behind.
 * The migrations that were applied stand in the table that D1 keeps too.
 */
export function migrate(sqlite: Sqlite, file: string, log: Log, known = migrations()): void {
  const missing = pendingMigrations(sqlite, known);
  const [first] = missing;
  if (!first) return;
  if (missing.length < known.length) copyBefore(sqlite, `${file}.before-${nameOf(first)}`, log);
  sqlite.transaction(() => {
    for (const [name, sql] of missing) {
      applyMigration({
        ...{ sql, now: new Date().toISOString() },
        exec: (text) => sqlite.database.exec(text),
        run: (statement) => sqlite.all(statement.sql, statement.params),
      });
      sqlite.all("INSERT INTO d1_migrations (name) VALUES (?)", [name]);
    }
  });
  log("migrated", { migrations: missing.map(([name]) => name) });
}

/** The migrations that a file is behind by. Those of a later version may be there too. Throws where they need a later one. */
export function pendingMigrations(sqlite: Sqlite, known = migrations()): [name: string, sql: string][] {
  sqlite.database.exec(
    "CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)",
  );
  const applied = sqlite.all("SELECT name FROM d1_migrations").map(({ name }) => name);
  const fault = applied.length > 0 && versionFault(minVersionOf(sqlite));
  if (fault) throw new Error(fault);
  return known.filter(([name]) => !applied.includes(name));
}

function minVersionOf(sqlite: Sqlite): string | undefined {
  return sqlite.all("SELECT version FROM min_version").map(({ version }) => String(version))[0];
}

function nameOf([name]: [string, string]): string {
  return name.replace(/\.sql$/, "");
}

function copyBefore(sqlite: Sqlite, copy: string, log: Log): void {
  if (!existsSync(copy)) sqlite.all("VACUUM INTO ?", [copy]);
  log("copied_before_migrating", { copy });
}
