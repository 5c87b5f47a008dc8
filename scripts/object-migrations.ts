// `npm run object-migrations`: writes the migrations into a module of the Worker, for accounts with an object apply them there.
import { writeFileSync } from "node:fs";
import { commandLine } from "./command-line.ts";
import { migrationModule, newestMigrationModule } from "./object-migrations/module.ts";
import { root } from "./paths.ts";

commandLine({
  usage: `Usage: npm run object-migrations

Writes src/engine/migrations.ts and src/db/newest-migration.ts anew from migrations/. Run it after a migration was added.`,
  options: {},
});

writeFileSync(`${root}src/engine/migrations.ts`, migrationModule());
writeFileSync(`${root}src/db/newest-migration.ts`, newestMigrationModule());
