import { readdirSync, readFileSync } from "node:fs";
import { root } from "../paths.ts";

/**
 * The text of src/engine/migrations.ts. The Worker stays a single module, so the migrations stand in it as strings, without their
 * comments; they stand in a function, so that start-up does not make them.
 */
export function migrationModule(): string {
  const entries = migrationNames().map(
    (name) => `  [${JSON.stringify(name)}, ${JSON.stringify(statementsIn(name))}],`,
  );
  return `// Made by \`npm run object-migrations\` from migrations/. Do not edit.

/** Every migration by its name, in order. */
// biome-ignore format: one migration a line
export const migrations = (): [name: string, sql: string][] => [
${entries.join("\n")}
];
`;
}

/** The text of src/db/newest-migration.ts. */
export function newestMigrationModule(): string {
  return `// Made by \`npm run object-migrations\` from migrations/. Do not edit.

/** The version of the schema that this code works with. */
export const newestMigration = ${JSON.stringify(migrationNames().at(-1))};
`;
}

function migrationNames(): string[] {
  return readdirSync(`${root}migrations`)
    .filter((file) => file.endsWith(".sql"))
    .sort();
}

function statementsIn(name: string): string {
  const lines = readFileSync(`${root}migrations/${name}`, "utf8").split("\n");
  return lines
    .filter((line) => !/^\s*(--|$)/.test(line))
    .map((line) => line.trim())
    .join("\n");
}
