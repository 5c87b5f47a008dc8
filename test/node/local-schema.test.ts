import { DatabaseSync } from "node:sqlite";
import { beforeEach, expect, test } from "vitest";
import { migrationTexts } from "../../scripts/migrations.ts";
import { hasThisSchema } from "../../scripts/storage/local.ts";
import { newestMigration } from "../../src/base/db/newest-migration.ts";

/** A local database is served only if it has the schema that the repository has: one that was made before is refused by a sentence. */

let database: DatabaseSync;
beforeEach(() => {
  database = new DatabaseSync(":memory:");
  for (const migration of migrationTexts()) database.exec(migration);
  database.exec("CREATE TABLE d1_migrations (name TEXT)");
  database.prepare("INSERT INTO d1_migrations VALUES (?)").run(newestMigration);
});

test("a database that was made of the schema has it, with the tables of the platform", () => {
  database.exec("CREATE TABLE _cf_METADATA (key INTEGER)");
  expect(hasThisSchema(database)).toBe(true);
});

test.each([
  ["with another column", "ALTER TABLE reasons ADD COLUMN later TEXT"],
  ["with a table that the schema does not have", "CREATE TABLE former (id TEXT)"],
  ["without an index", "DROP INDEX orders_of_attempt"],
  ["without a trigger", "DROP TRIGGER accounts_reconciled"],
  [
    "with a migration that the repository does not have",
    "INSERT INTO d1_migrations VALUES ('0000_before.sql')",
  ],
])("one %s does not", (_, sql) => {
  database.exec(sql);
  expect(hasThisSchema(database)).toBe(false);
});
