import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { migrationModule, newestMigrationModule } from "../../scripts/object-migrations/module.ts";
import { root } from "../../scripts/paths.ts";

test("the Worker holds every migration: `npm run object-migrations` has been run since the last was added", () => {
  expect(readFileSync(`${root}src/engine/migrations.ts`, "utf8")).toBe(migrationModule());
  expect(readFileSync(`${root}src/db/newest-migration.ts`, "utf8")).toBe(newestMigrationModule());
});
