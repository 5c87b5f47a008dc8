import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";

/** D1's limits of a statement (developers.cloudflare.com/d1/platform/limits), which Node's SQLite keeps from 24.14 on. */
const limits = {
  sqlLength: 100_000,
  column: 100,
  exprDepth: 100,
  compoundSelect: 5,
  functionArg: 32,
  likePatternLength: 50,
  variableNumber: 100,
  attach: 0,
};

export type HostRow = Record<string, unknown>;

/** SQLite in memory, or in a file where other processes reach it too; its statements kept. */
export class HostSqlite {
  readonly #file: string;
  #sqlite: DatabaseSync;
  #prepared = new Map<string, StatementSync>();

  constructor(file = ":memory:") {
    this.#file = file;
    this.#sqlite = open(file);
  }

  all(sql: string, params: unknown[]): HostRow[] {
    const statement = this.#prepared.get(sql) ?? this.#sqlite.prepare(sql);
    this.#prepared.set(sql, statement);
    return statement.all(...params.map(toSqlite)).map((row) => ({ ...row }));
  }

  columnsOf(sql: string): string[] {
    return (this.#prepared.get(sql)?.columns() ?? []).map(({ name }) => name);
  }

  /** All of the work, or nothing. */
  transaction<T>(work: () => T): T {
    this.#sqlite.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      this.#sqlite.exec("COMMIT");
      return result;
    } catch (error) {
      if (this.#sqlite.isTransaction) this.#sqlite.exec("ROLLBACK");
      throw error;
    }
  }

  /** Begins anew: empty, or as a copy of a database. */
  begin(copied?: Uint8Array): void {
    this.#prepared.clear();
    this.#sqlite.close();
    this.#sqlite = open(this.#file);
    if (copied) this.#sqlite.deserialize(copied);
  }

  copy(): Uint8Array {
    return this.#sqlite.serialize();
  }
}

function open(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { limits, timeout: 20_000 } as object);
  if (file !== ":memory:") database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF");
  return database;
}

function toSqlite(value: unknown): SQLInputValue {
  if (typeof value === "boolean") return Number(value);
  return value instanceof ArrayBuffer ? new Uint8Array(value) : (value as SQLInputValue);
}
