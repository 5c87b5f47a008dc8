import { readdirSync, readFileSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { Database } from "../../simulator/world.ts";
import type { Result, Row, Statement } from "../../src/db/client.ts";
import { root } from "../paths.ts";
import { emptyTablesSql } from "./empty-tables.ts";

/**
 * An SQLite database in memory with the project's migrations. Each statement is prepared once. From `mark` to `rewind`
 * or `release` everything is one transaction and each batch a savepoint in it, so SQLite checks deferred foreign keys
 * only at the end of that transaction.
 */
export function memoryDatabase(): Database & { empty: () => void } {
  const database = new DatabaseSync(":memory:");
  for (const migration of migrations()) database.exec(migration);
  const emptyTables = emptyTablesSql(database);
  const restartChance = seedChance(database);
  const statements = new Map<string, StatementSync>();
  let isMarked = false;

  const prepare = (sql: string): StatementSync => {
    const prepared = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, prepared);
    return prepared;
  };
  const run = (statement: Statement): Result => {
    const { sql, params } = withLiteralLimits(statement);
    return { rows: prepare(sql).all(...params) as Row[] };
  };
  const write = (batch: Statement[]): Result[] => {
    const [begin, commit, rollback] = isMarked
      ? ["SAVEPOINT batch", "RELEASE batch", "ROLLBACK TO batch; RELEASE batch"]
      : ["BEGIN IMMEDIATE", "COMMIT", "ROLLBACK"];
    database.exec(begin);
    try {
      const results = batch.map(run);
      database.exec(commit);
      return results;
    } catch (error) {
      if (isMarked || database.isTransaction) database.exec(rollback);
      throw error;
    }
  };
  const finish = (end: "ROLLBACK" | "COMMIT"): void => {
    if (isMarked) database.exec(end);
    isMarked = false;
  };
  return {
    usage: { db_round_trips: 0, db_statements: 0, rows_read: 0, rows_written: 0 },
    async batch(batch, mode) {
      return mode === "write" ? write(batch) : batch.map(run);
    },
    mark: () => {
      database.exec("BEGIN IMMEDIATE");
      isMarked = true;
    },
    rewind: () => finish("ROLLBACK"),
    release: () => finish("COMMIT"),
    /** A schedule begins with an empty database, so that it is the same wherever it runs. */
    empty: () => {
      database.exec(emptyTables);
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
    .map((name) => readFileSync(`${root}migrations/${name}`, "utf8"));
}

/** A text cut at its bound limits: the pieces between them, and which parameters they are. */
type Template = { pieces: string[]; limits: number[] };

const templates = new Map<string, Template>();

/**
 * The statement with its LIMIT and OFFSET written into the text. SQLite plans with a bound limit's value, so it compiles
 * the statement again each time one is bound, which takes ten times as long as running it.
 */
function withLiteralLimits({ sql, params }: Statement): Statement {
  const { pieces, limits } = templates.get(sql) ?? templateOf(sql);
  if (limits.length === 0) return { sql, params };
  const text = pieces.reduce((before, piece, nth) => `${before}${params[limits[nth - 1]!]}${piece}`);
  return { sql: text, params: params.filter((_, nth) => !limits.includes(nth)) };
}

function templateOf(sql: string): Template {
  const template: Template = { pieces: [], limits: [] };
  let nth = 0;
  let end = 0;
  for (const { 0: param, 1: keyword, index } of sql.matchAll(/(\bLIMIT |\bOFFSET )?\?/gi)) {
    if (keyword) {
      template.limits.push(nth);
      template.pieces.push(sql.slice(end, index + keyword.length));
      end = index + param.length;
    }
    nth++;
  }
  template.pieces.push(sql.slice(end));
  templates.set(sql, template);
  return template;
}
