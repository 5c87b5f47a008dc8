// Makes src/runtime/engine/migrations.ts and src/base/db/newest-migration.ts from migrations/ and package.json: the Worker stays a single module, so the schema
// stands in it as strings, for accounts with an object apply it there.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const names = readdirSync(`${root}migrations`)
  .filter((file) => file.endsWith(".sql"))
  .sort();

/** Without comments, empty lines and indentation, which nobody reads there. */
const statementsIn = (name) =>
  readFileSync(`${root}migrations/${name}`, "utf8")
    .split("\n")
    .filter((line) => !/^\s*(--|$)/.test(line))
    .map((line) => line.trim())
    .join("\n");

const entries = names.map((name) => `  [${JSON.stringify(name)}, ${JSON.stringify(statementsIn(name))}],`);

/** It stands in a function, so that start-up does not make it. */
const migrations = `// Made by scripts/schema-modules.mjs from migrations/.

/** Every migration by its name, in order. */
export const migrations = (): [name: string, sql: string][] => [
${entries.join("\n")}
];
`;

const newest = `// Made by scripts/schema-modules.mjs from migrations/.

/** The version of the schema that this code works with. */
export const newestMigration = ${JSON.stringify(names.at(-1))};

/** The version of the code itself. */
export const version = ${JSON.stringify(JSON.parse(readFileSync(`${root}package.json`, "utf8")).version)};
`;

const write = (path, text) => {
  const target = `${root}src/${path}`;
  // Writing what is there already would make a running server reload.
  if (!existsSync(target) || readFileSync(target, "utf8") !== text) writeFileSync(target, text);
};
write("runtime/engine/migrations.ts", migrations);
write("base/db/newest-migration.ts", newest);
