/** A local database is taken for this schema only if it was made of it. */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { DatabaseSync } from "node:sqlite";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { migrationNames, migrationTexts } from "../../scripts/migrations.ts";
import { seed } from "../../scripts/seed/index.ts";
import { hasThisSchema, openFile } from "../../scripts/storage/local.ts";
import { commit } from "../../src/base/db/commit.ts";
import { deletionFenceStatements } from "../../src/edges/operator/move/fence.ts";

/** A local database is served only if it has the schema that the repository has: one that was made before is refused by a sentence. */

let database: DatabaseSync;
beforeEach(() => {
  database = new DatabaseSync(":memory:");
  migrate(database);
});

function migrate(empty: DatabaseSync): void {
  for (const migration of migrationTexts()) empty.exec(migration);
  empty.exec("CREATE TABLE d1_migrations (name TEXT)");
  for (const name of migrationNames()) empty.prepare("INSERT INTO d1_migrations VALUES (?)").run(name);
}

test("a database that was made of the schema has it, with the tables of the platform", () => {
  database.exec("CREATE TABLE _cf_METADATA (key INTEGER)");
  expect(hasThisSchema(database)).toBe(true);
});

test("the seed and an account that is being deleted change nothing about that", async () => {
  const folder = mkdtempSync(`${tmpdir()}/perennial-local-`);
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = new DatabaseSync(`${folder}/local.sqlite`);
  migrate(file);
  const db = openFile(`${folder}/local.sqlite`);
  await seed(db, new Date());
  await commit({ db }, deletionFenceStatements({ accountId: randomUUID(), tables: ["orders"] }));
  expect(hasThisSchema(file)).toBe(true);
  db.close();
  file.close();
});

test.each([
  ["with another column", "ALTER TABLE reasons ADD COLUMN later TEXT"],
  ["with a table that the schema does not have", "CREATE TABLE former (id TEXT)"],
  ["without an index", "DROP INDEX orders_by_total"],
  ["without a trigger", "DROP TRIGGER accounts_reconciled"],
  [
    "with a migration that the repository does not have",
    "INSERT INTO d1_migrations VALUES ('0000_before.sql')",
  ],
])("one %s does not", (_, sql) => {
  database.exec(sql);
  expect(hasThisSchema(database)).toBe(false);
});
