import { createHash, createHmac } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { d1Db } from "../../src/base/db/client.ts";
import type { Db } from "../../src/base/db/port.ts";
import { isOfFence } from "../../src/edges/operator/move/fence.ts";
import { openD1 } from "../../src/host/d1.ts";
import { openSqlite } from "../../src/host/sqlite.ts";
import { migrationNames } from "../migrations.ts";
import { root } from "../paths.ts";
import { wrangler } from "../wrangler.ts";

/** The local D1, migrated. It may be used while the server runs. Ends the process where it was made by another version of the schema. */
export function openLocal(): LocalDb {
  requireThisSchema();
  migrateLocal();
  return openFile(localFile());
}

/**
 * Whether a database has just what the migrations come to which it says were applied, as the repository has them. What others keep in
 * it beside them is left out.
 */
export function hasThisSchema(database: DatabaseSync): boolean {
  const applied = database
    .prepare("SELECT name FROM d1_migrations ORDER BY name")
    .all()
    .map(({ name }) => String(name));
  if (!applied.every((name) => migrationNames().includes(name))) return false;
  const expected = new DatabaseSync(":memory:");
  for (const name of applied) expected.exec(readFileSync(`${root}migrations/${name}`, "utf8"));
  const [found, wanted] = [schemaIn(database), schemaIn(expected)];
  expected.close();
  return found.size === wanted.size && [...wanted].every(([name, sql]) => found.get(name) === sql);
}

export function localFile(): string {
  const [, id] = /^database_id = "(.+)"/m.exec(readFileSync(`${root}wrangler.toml`, "utf8")) ?? [];
  if (id === undefined) throw new Error("wrangler.toml names no database_id");
  return fileOf(id);
}

/** The file of a Durable Object that is named by the database's id, as Miniflare names it. */
export function fileOf(databaseId: string, folder = `${root}.wrangler/state/v3/d1/`): string {
  const key = createHash("sha256").update("miniflare-D1DatabaseObject").digest();
  const name = createHmac("sha256", key).update(databaseId).digest().subarray(0, 16);
  const check = createHmac("sha256", key).update(name).digest().subarray(0, 16);
  const file = Buffer.concat([name, check]).toString("hex");
  return `${folder}miniflare-D1DatabaseObject/${file}.sqlite`;
}

/** The storage port on an SQLite file. */
export function openFile(file: string): LocalDb {
  const sqlite = openSqlite(file);
  return { ...d1Db(openD1(sqlite)), close: sqlite.close };
}

/*
 * The local D1 is an SQLite file that the running server has open. The commands write to it directly: a second
 * workerd (`wrangler d1 execute`, `getPlatformProxy`) takes 0.8 s more, and as workerd does not wait for a lock,
 * of 12 started together 1 to 3 failed with SQLITE_BUSY. This waits, and holds the lock for less than 1 ms.
 */
const waitMs = 10_000;

export type LocalDb = Db & { close: () => void };

const isRemade =
  "The local database was made by another version of the schema, which is still changed in place. " +
  "Remove it with all its records, and start again: rm -r .wrangler/state";

/** Not of the migrations: tables of D1, of SQLite and of the seed, and the fence of an account that is being moved or deleted. */
function isForeign(name: string): boolean {
  return (
    ["d1_migrations", "_cf_METADATA", "sqlite_sequence", "seeded_parts"].includes(name) || isOfFence(name)
  );
}

function requireThisSchema(): void {
  if (!existsSync(localFile())) return;
  const database = new DatabaseSync(localFile(), { timeout: waitMs });
  const isMigrated = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'd1_migrations'").get();
  const isSame = !isMigrated || hasThisSchema(database);
  database.close();
  if (isSame) return;
  console.error(isRemade);
  process.exit(1);
}

/** The statements that made the tables, indexes and triggers of our schema in a database, by name. */
function schemaIn(database: DatabaseSync): Map<string, string> {
  const made = database.prepare("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL").all();
  return new Map(
    made.map(({ name, sql }) => [String(name), String(sql)] as const).filter(([name]) => !isForeign(name)),
  );
}

/** Applies pending migrations. Another command may be doing the same, so it tries again after a failure. */
function migrateLocal(): void {
  for (let tries = 1; pendingMigrations().length > 0; tries++) {
    const { ok, stdout, stderr } = wrangler(["d1", "migrations", "apply", "DB", "--local"]);
    if (ok) return;
    if (tries === 3)
      throw new Error(
        `${stdout}${stderr}\nThe local database cannot be migrated; deleting .wrangler/state starts anew`,
      );
  }
}

function pendingMigrations(): string[] {
  const all = migrationNames();
  if (!existsSync(localFile())) return all;
  const database = new DatabaseSync(localFile(), { timeout: waitMs });
  try {
    const applied = database.prepare("SELECT name FROM d1_migrations").all();
    return all.filter((name) => !applied.some((row) => row.name === name));
  } catch {
    return all;
  } finally {
    database.close();
  }
}
