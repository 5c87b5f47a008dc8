import { DatabaseSync } from "node:sqlite";
import { migrationTexts } from "../../scripts/migrations.ts";

/** The statements that make an empty database as the migrations do, without the way that led there. */
export function schemaStatements(): string[] {
  const database = new DatabaseSync(":memory:");
  for (const migration of migrationTexts()) database.exec(migration);
  const made = database
    .prepare(
      "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid",
    )
    .all() as { name: string; sql: string }[];
  database.close();
  const virtual = made.filter(({ sql }) => sql.startsWith("CREATE VIRTUAL")).map(({ name }) => `${name}_`);
  return made.filter(({ name }) => !virtual.some((prefix) => name.startsWith(prefix))).map(({ sql }) => sql);
}
