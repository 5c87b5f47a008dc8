import { readdirSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { Database } from "../../simulator/world.ts";
import type { Result, Statement } from "../../src/db/client.ts";
import { root } from "../paths.ts";
import { emptyTablesSql } from "./empty-tables.ts";
import { textOf } from "./seeded-files.ts";
import { statementRunner } from "./statements.ts";

/**
 * An SQLite database in memory with the project's migrations. From `mark` to `rewind` or `release` everything is one transaction
 * and each batch a savepoint in it, so SQLite checks deferred foreign keys only at the end of that transaction.
 */
export function memoryDatabase(): Database & { empty: () => void } {
  const database = new DatabaseSync(":memory:");
  for (const migration of migrations()) database.exec(migration);
  const emptyTables = emptyTablesSql(database).map((sql) => database.prepare(sql));
  const restartChance = seedChance(database);
  const control = (sql: string) => database.prepare(sql);
  const [begin, commit, rollback] = [control("BEGIN IMMEDIATE"), control("COMMIT"), control("ROLLBACK")];
  const savepoint = control("SAVEPOINT batch");
  const [release, rollbackTo] = [control("RELEASE batch"), control("ROLLBACK TO batch")];
  const runner = statementRunner(database);
  const run = (statement: Statement): Result => ({ rows: runner.run(statement) });
  let isMarked = false;
  let changed = 0;

  const undo = (): void => {
    runner.forget();
    if (!isMarked) {
      if (database.isTransaction) rollback.run();
      return;
    }
    rollbackTo.run();
    release.run();
  };
  const write = (batch: Statement[]): Result[] => {
    (isMarked ? savepoint : begin).run();
    try {
      const results = batch.map(run);
      (isMarked ? release : commit).run();
      return results;
    } catch (error) {
      undo();
      throw error;
    }
  };
  const finish = (end: "ROLLBACK" | "COMMIT"): void => {
    if (isMarked) database.exec(end);
    isMarked = false;
    runner.forget();
  };
  return {
    engine: "d1",
    usage: { db_round_trips: 0, db_statements: 0, rows_read: 0, rows_written: 0 },
    async batch(batch, mode) {
      return mode === "write" ? write(batch) : batch.map(run);
    },
    hasChanged: () => {
      const before = changed;
      changed = runner.changed();
      return changed !== before;
    },
    mark: () => {
      begin.run();
      isMarked = true;
    },
    rewind: () => finish("ROLLBACK"),
    release: () => finish("COMMIT"),
    /** A schedule begins with an empty database, so that it is the same wherever it runs. */
    empty: () => {
      begin.run();
      for (const statement of emptyTables) statement.run();
      commit.run();
      runner.forget();
      restartChance();
    },
  };
}

/** SQL's own chance, which makes the ids of deliveries: with every schedule the same. Returns what begins it anew. */
function seedChance(database: DatabaseSync): () => void {
  let state = 0;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return state >>> 0;
  };
  database.function("randomblob", (bytes) => Uint8Array.from({ length: Number(bytes) }, () => next() >>> 24));
  database.function("random", next);
  return () => {
    state = 0;
  };
}

function migrations(): string[] {
  return readdirSync(`${root}migrations`)
    .filter((name) => name.endsWith(".sql"))
    .sort()
    .map((name) => textOf(`migrations/${name}`));
}
