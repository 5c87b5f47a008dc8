// Makes of migrations/ and package.json what the code knows of its schema: an asset with its texts, which the objects of accounts apply; the
// same as a module, for the file for one machine; and the newest one's name beside the version.
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

const migrations = JSON.stringify(names.map((name) => [name, statementsIn(name)]));

const module = `// Made by scripts/schema-modules.mjs from migrations/.

/** Every migration by its name, in order. */
export const migrations = (): [name: string, sql: string][] => ${migrations};
`;

const newest = `// Made by scripts/schema-modules.mjs from migrations/.

/** The version of the schema that this code works with. */
export const newestMigration = ${JSON.stringify(names.at(-1))};

/** The version of the code itself. */
export const version = ${JSON.stringify(JSON.parse(readFileSync(`${root}package.json`, "utf8")).version)};
`;

const write = (path, text) => {
  const target = root + path;
  // Writing what is there already would make a running server reload.
  if (!existsSync(target) || readFileSync(target, "utf8") !== text) writeFileSync(target, text);
};
write("public/assets/migrations.json", migrations);
write("src/host/migrations.ts", module);
write("src/base/db/newest-migration.ts", newest);
