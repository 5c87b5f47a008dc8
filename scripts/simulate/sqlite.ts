import { readdirSync, readFileSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { Database } from "../../simulator/world.ts";
import type { Result, Row, Statement } from "../../src/db/client.ts";
import { root } from "../paths.ts";

const migrations = (): string[] =>
  readdirSync(`${root}migrations`)
    .filter((name) => name.endsWith(".sql"))
    .sort()
    .map((name) => readFileSync(`${root}migrations/${name}`, "utf8"));

/** What empties every table: a schedule begins with an empty database, so that it is the same wherever it is run. */
const emptying = (database: DatabaseSync): string => {
  const tables = database
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all() as { name: string; sql: string }[];
  const indexes = tables.filter(({ sql }) => sql.startsWith("CREATE VIRTUAL TABLE")).map(({ name }) => name);
  const own = tables.filter(({ name }) => !indexes.some((index) => name.startsWith(index)));
  return [
    "PRAGMA foreign_keys = OFF",
    "BEGIN",
    ...own.map(({ name }) => `DELETE FROM ${name}`),
    ...indexes.map((name) => `INSERT INTO ${name} (${name}) VALUES ('delete-all')`),
    "COMMIT",
    "PRAGMA foreign_keys = ON",
  ].join(";\n");
};

/**
 * An SQLite database in memory with the project's migrations. Statements are prepared once. Where it is to be rewound,
 * all since the mark is one transaction, batches are savepoints in it (whose deferred foreign keys are then checked at
 * its end only).
 */
export const memoryDatabase = (): Database & { empty: () => void } => {
  const database = new DatabaseSync(":memory:");
  for (const migration of migrations()) database.exec(migration);
  const known = new Map<string, StatementSync>();
  const prepared = (sql: string): StatementSync => {
    const statement = known.get(sql) ?? database.prepare(sql);
    known.set(sql, statement);
    return statement;
  };
  const run = ({ sql, params }: Statement): Result => ({ rows: prepared(sql).all(...params) as Row[] });
  const emptied = emptying(database);
  let isMarked = false;

  const write = (statements: Statement[]): Result[] => {
    const [begin, commit, rollback] = isMarked
      ? ["SAVEPOINT batch", "RELEASE batch", "ROLLBACK TO batch; RELEASE batch"]
      : ["BEGIN IMMEDIATE", "COMMIT", "ROLLBACK"];
    database.exec(begin);
    try {
      const results = statements.map(run);
      database.exec(commit);
      return results;
    } catch (error) {
      if (isMarked || database.isTransaction) database.exec(rollback);
      throw error;
    }
  };
  const finish = (how: "ROLLBACK" | "COMMIT"): void => {
    if (isMarked) database.exec(how);
    isMarked = false;
  };
  return {
    usage: { db_round_trips: 0, rows_read: 0, rows_written: 0 },
    async batch(statements, mode) {
      return mode === "write" ? write(statements) : statements.map(run);
    },
    mark: () => {
      database.exec("BEGIN IMMEDIATE");
      isMarked = true;
    },
    rewind: () => finish("ROLLBACK"),
    release: () => finish("COMMIT"),
    empty: () => database.exec(emptied),
  };
};
