import type { DatabaseSync } from "node:sqlite";
import { migrationTexts } from "../migrations.ts";

/** Gives a database the project's schema, without what a seeded bug drops of it. */
export function applyMigrations(database: DatabaseSync): void {
  for (const text of migrationTexts()) database.exec(text);
  const definition = database.prepare("SELECT type, sql FROM sqlite_schema WHERE name = ?");
  for (const name of dropped) {
    const { type, sql } = definition.get(name) as { type: string; sql: string };
    database.exec(`DROP ${type} ${name}`);
    if (type === "index") database.exec(sql.replace("UNIQUE INDEX", "INDEX"));
  }
}

/** Has unique indexes be plain ones, and triggers be left out, in the databases that are made from now on in this thread. */
export function dropFromSchema(names: string[]): void {
  dropped = names;
}

let dropped: string[] = [];
