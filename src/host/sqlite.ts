import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { once } from "../base/lib/once.ts";

export type SqlRow = Record<string, unknown>;

/** One connection to an SQLite file, or to a database in memory, which keeps its statements prepared. */
export type Sqlite = ReturnType<typeof openSqlite>;

/** Limits of a statement, by the names of Node's SQLite. */
export type SqliteLimits = Record<string, number>;

export function openSqlite(file: string, { pragmas = "", limits = {} as SqliteLimits } = {}) {
  const database = new DatabaseSync(file, { timeout: waitMs, limits } as object);
  database.exec(pragmas);
  const kept = new Map<string, Prepared>();

  /** The statements that were used last stay: to prepare one takes longer than most run, with all triggers of its table. */
  function prepare(sql: string): Prepared {
    const prepared = kept.get(sql) ?? openStatement(database.prepare(sql));
    kept.delete(sql);
    kept.set(sql, prepared);
    if (kept.size > mostKept) kept.delete(kept.keys().next().value as string);
    return prepared;
  }

  return {
    /** The connection itself, for all else that Node's SQLite can do. */
    database,
    all: (sql: string, params: readonly unknown[] = []): SqlRow[] => prepare(sql).all(params.map(toSqlite)),
    columnsOf: (sql: string): string[] => prepare(sql).columns(),

    /** All of the work, or nothing. What only reads waits for no other process's writes. */
    transaction<T>(work: () => T, mode: "read" | "write" = "write"): T {
      database.exec(mode === "write" ? "BEGIN IMMEDIATE" : "BEGIN");
      try {
        const result = work();
        database.exec("COMMIT");
        return result;
      } catch (error) {
        if (database.isTransaction) database.exec("ROLLBACK");
        throw error;
      }
    },

    close(): void {
      kept.clear();
      database.close();
    },
  };
}

type Prepared = { columns: () => string[]; all: (params: SQLInputValue[]) => SqlRow[] };

/**
 * SQLite returns values, of which a function that is made for the statement makes rows: objects of one shape take a quarter of the time
 * that its own rows do, which have no prototype and would have to be copied.
 */
export function openStatement(statement: StatementSync): Prepared {
  statement.setReturnArrays(true);
  const columns = once(() => statement.columns().map(({ name }) => name));
  const toRow = once(() => rowMaker(columns()));
  const all = (params: SQLInputValue[]): SqlRow[] => {
    const found = statement.all(...params) as unknown[];
    return found.length === 0 ? [] : found.map(toRow());
  };
  return { columns, all };
}

function rowMaker(columns: string[]): (values: unknown) => SqlRow {
  const fields = columns.map((name, nth) => `${JSON.stringify(name)}: values[${nth}]`);
  return new Function("values", `return { ${fields.join(", ")} };`) as (values: unknown) => SqlRow;
}

/** Others that write to the file, the account command among them, hold its lock for less than 1 ms. */
const waitMs = 10_000;

const mostKept = 1000;

function toSqlite(value: unknown): SQLInputValue {
  if (typeof value === "boolean") return Number(value);
  return value instanceof ArrayBuffer ? new Uint8Array(value) : (value as SQLInputValue);
}
