import { DatabaseSync } from "node:sqlite";
import type { Database } from "../../simulator/kernel/database.ts";
import { objectDb } from "../../src/base/db/object.ts";
import type { Result, Statement, Value } from "../../src/base/db/port.ts";
import { emptyUsage } from "../../src/base/db/usage.ts";
import type { Engine, ObjectStorage } from "../../src/base/env.ts";
import { emptyTablesSql } from "./empty-tables.ts";
import { applyMigrations } from "./schema.ts";
import { type Runner, statementRunner } from "./statements.ts";

/** A schedule begins with an empty database, so that it is the same wherever it runs. */
type MemoryDatabase = Database & {
  empty: (engine: Engine) => void;
  /** Takes all rows away, and what was defined since the migrations. */
  erase: () => void;
};

/**
 * An SQLite database in memory with the project's migrations. From `mark` to `rewind` everything is one transaction
 * and each batch a savepoint in it, so SQLite checks deferred foreign keys only at the end of that transaction. Databases of other chance
 * make other ids.
 */
export function memoryDatabase(chance = 0): MemoryDatabase {
  const database = new DatabaseSync(":memory:");
  applyMigrations(database);
  const emptyTables = emptyTablesSql(database);
  const restartChance = seedChance(database, chance);
  const control = (sql: string) => database.prepare(sql);
  const [begin, commit, rollback] = [control("BEGIN IMMEDIATE"), control("COMMIT"), control("ROLLBACK")];
  const savepoint = control("SAVEPOINT batch");
  const [release, rollbackTo] = [control("RELEASE batch"), control("ROLLBACK TO batch")];
  const runner = statementRunner(database);
  const run = (statement: Statement): Result => ({ rows: runner.run(statement) });
  let engine: Engine = "d1";
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
  // Most batches of a tick write nothing, as their tables are empty.
  const transaction = <T>(work: () => T): T => {
    let isBegun = false;
    runner.beforeWrite = () => {
      if (!isBegun) (isMarked ? savepoint : begin).run();
      isBegun = true;
    };
    try {
      const result = work();
      if (isBegun) (isMarked ? release : commit).run();
      return result;
    } catch (error) {
      if (isBegun) undo();
      throw error;
    } finally {
      runner.beforeWrite = undefined;
    }
  };
  const rewind = (): void => {
    isMarked = false;
    runner.forget();
    if (database.isTransaction) rollback.run();
  };
  const afterWrite = (): void => memory.afterWrite?.();
  const object = objectDb({ storage: objectStorage(runner, transaction), afterWrite });
  const memory: MemoryDatabase = {
    get engine() {
      return engine;
    },
    usage: emptyUsage(),
    async batch(batch, mode) {
      if (engine === "object") return object.batch(batch, mode);
      return mode === "write" ? transaction(() => batch.map(run)) : batch.map(run);
    },
    changes: runner.changed,
    hasChanged: () => {
      const before = changed;
      changed = runner.changed();
      return changed !== before;
    },
    mark: () => {
      begin.run();
      isMarked = true;
    },
    rewind,
    empty: (nextEngine) => {
      engine = nextEngine;
      delete memory.afterWrite;
      memory.erase();
      restartChance();
    },
    erase: () => {
      begin.run();
      const fences = runner.run({
        sql: "SELECT name FROM sqlite_schema WHERE name LIKE 'moving %'",
        params: [],
      });
      for (const { name } of fences) database.exec(`DROP TRIGGER "${name}"`);
      for (const sql of emptyTables) runner.run({ sql, params: [] });
      commit.run();
      runner.forget();
    },
  };
  return memory;
}

/** The storage of an object (src/runtime/engine/account-object.ts) on the same database: what its adapter asks of the platform's. */
function objectStorage(
  { run, changed }: Runner,
  transactionSync: DurableObjectStorage["transactionSync"],
): ObjectStorage["storage"] {
  const exec = (text: string, ...params: Value[]) => {
    const before = changed();
    const rows = run({ sql: text, params });
    return { toArray: () => rows, rowsRead: 0, rowsWritten: changed() - before };
  };
  return { sql: { exec } as unknown as SqlStorage, transactionSync };
}

/** SQL's own chance, which makes the ids of deliveries: with every schedule the same. Returns what begins it anew. */
function seedChance(database: DatabaseSync, first: number): () => void {
  let state = first;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return state >>> 0;
  };
  database.function("randomblob", (bytes) => Uint8Array.from({ length: Number(bytes) }, () => next() >>> 24));
  database.function("random", next);
  return () => {
    state = first;
  };
}
