import { migrationTexts } from "../../scripts/migrations.ts";
import { openSqlite, type Sqlite } from "../../src/host/sqlite.ts";

/** A database in memory with the schema of the migrations. */
export function migratedSqlite(): Sqlite {
  const sqlite = openSqlite(":memory:");
  for (const text of migrationTexts()) sqlite.database.exec(text);
  return sqlite;
}
