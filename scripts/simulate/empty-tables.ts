import type { DatabaseSync } from "node:sqlite";

type Table = { name: string; sql: string };

/**
 * Statements that empty every table, children before the tables they refer to. Foreign keys stay on: after a changed pragma
 * SQLite compiles every prepared statement again.
 */
export function emptyTablesSql(database: DatabaseSync): string[] {
  const tables = database
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all() as Table[];
  const indexes = tables.filter(({ sql }) => sql.startsWith("CREATE VIRTUAL TABLE")).map(({ name }) => name);
  const names = tables
    .map(({ name }) => name)
    .filter((name) => !indexes.some((index) => name.startsWith(index)));
  return [
    ...childrenFirst(database, names).map((name) => `DELETE FROM ${name}`),
    ...indexes.map((name) => `INSERT INTO ${name} (${name}) VALUES ('delete-all')`),
  ];
}

function childrenFirst(database: DatabaseSync, names: string[]): string[] {
  const parents = new Map(names.map((name) => [name, parentsOf(database, name)]));
  const sorted = new Set<string>();
  const visit = (name: string): void => {
    for (const [child, childParents] of parents)
      if (child !== name && !sorted.has(child) && childParents.includes(name)) visit(child);
    sorted.add(name);
  };
  for (const name of names) visit(name);
  return [...sorted];
}

function parentsOf(database: DatabaseSync, table: string): string[] {
  const keys = database.prepare('SELECT "table" AS parent FROM pragma_foreign_key_list(?)').all(table);
  return (keys as { parent: string }[]).map(({ parent }) => parent);
}
