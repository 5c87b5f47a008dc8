import { versionFault } from "../../base/db/min-version.ts";
import { newestMigration } from "../../base/db/newest-migration.ts";
import type { ObjectStorage } from "../../base/env.ts";
import { applyMigration } from "../backfills/apply-migration.ts";
import type { Backfill } from "../backfills/backfills.ts";
import type { Migration } from "./migrations.ts";

type Storage = ObjectStorage["storage"];

/**
 * Applies the migrations that an object does not have yet: all of them or none, so that an object is never between two schemas.
 * Throws if one fails, or if those of a later version need a later one; the object is then as it was.
 */
export function migrate({ storage, now, all, known }: Migrating): void {
  storage.transactionSync(() => {
    requireMinVersion(storage);
    if (all.length === 0) return;
    const missing = missingOf(storage, all);
    for (const [, sql] of missing)
      applyMigration({
        ...{ sql, now, ...(known ? { known } : {}) },
        exec: (text) => storage.sql.exec(text),
        run: (statement) => storage.sql.exec(statement.sql, ...statement.params),
      });
    noteMigrations({ storage, now, all: missing });
  });
}

type Migrating = {
  storage: Storage;
  now: string;
  all: Migration[];
  known?: readonly Backfill[] | undefined;
};

/** Whether there is anything in the object: none that was never called, or that was erased, has a schema. */
export function hasSchema({ sql }: Storage): boolean {
  return sql.exec("PRAGMA table_info(object_migrations)").toArray().length > 0;
}

/** Whether the object has the schema of this version, or a later one's. */
export function hasNewest(storage: Storage): boolean {
  if (!hasSchema(storage)) return false;
  const named = storage.sql.exec("SELECT 1 FROM object_migrations WHERE name = ?", newestMigration);
  return named.toArray().length > 0;
}

/** Records in a table of the object that it has these migrations. */
export function noteMigrations({ storage: { sql }, now, all }: Omit<Migrating, "known">): void {
  sql.exec(table);
  for (const [name] of all) sql.exec("INSERT INTO object_migrations VALUES (?, ?)", name, now);
}

const table =
  "CREATE TABLE IF NOT EXISTS object_migrations (name TEXT PRIMARY KEY, applied_at TEXT NOT NULL) STRICT";

function requireMinVersion(storage: Storage): void {
  if (!hasSchema(storage)) return;
  const [found] = storage.sql.exec<{ version: string }>("SELECT version FROM min_version").toArray();
  const fault = versionFault(found?.version);
  if (fault !== undefined) throw new Error(fault);
}

function missingOf({ sql }: Storage, all: Migration[]): Migration[] {
  sql.exec(table);
  const rows = sql.exec<{ name: string }>("SELECT name FROM object_migrations").toArray();
  const applied = new Set(rows.map(({ name }) => name));
  return all.filter(([name]) => !applied.has(name));
}
