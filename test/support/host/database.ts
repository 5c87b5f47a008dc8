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

/** SQLite within Node as D1's client would show it: what is bound, run and answered, one transaction a batch, without figures of rows. */
export class HostDatabase {
  #sqlite = open();
  #prepared = new Map<string, StatementSync>();
  #empty: Uint8Array | undefined;

  prepare(sql: string): Bound {
    return new Bound(this, sql, []);
  }

  async batch(statements: Bound[]): Promise<D1Result[]> {
    this.#sqlite.exec("BEGIN");
    try {
      const results = statements.map((statement) => this.answer(statement));
      this.#sqlite.exec("COMMIT");
      return results;
    } catch (error) {
      if (this.#sqlite.isTransaction) this.#sqlite.exec("ROLLBACK");
      throw error;
    }
  }

  answer({ sql, params }: Bound): D1Result {
    try {
      const results = this.#statement(sql)
        .all(...params.map(toSqlite))
        .map((row) => ({ ...row }));
      return { success: true, results, meta: { ...noFigures } };
    } catch (error) {
      throw new Error(`D1_ERROR: ${wordsOf(error)}`, { cause: error });
    }
  }

  /** Begins anew with this schema, which is made once and then copied. */
  begin(schema: string[]): void {
    this.#prepared.clear();
    this.#sqlite.close();
    this.#sqlite = open();
    if (this.#empty) this.#sqlite.deserialize(this.#empty);
    else for (const sql of schema) this.#sqlite.exec(sql);
    this.#empty ??= this.#sqlite.serialize();
  }

  #statement(sql: string): StatementSync {
    const known = this.#prepared.get(sql) ?? this.#sqlite.prepare(sql);
    this.#prepared.set(sql, known);
    return known;
  }
}

function open(): DatabaseSync {
  return new DatabaseSync(":memory:", { limits } as object);
}

class Bound {
  readonly database: HostDatabase;
  readonly sql: string;
  readonly params: unknown[];

  constructor(database: HostDatabase, sql: string, params: unknown[]) {
    this.database = database;
    this.sql = sql;
    this.params = params;
  }

  bind(...params: unknown[]): Bound {
    return new Bound(this.database, this.sql, params);
  }

  async run(): Promise<D1Result> {
    return this.database.answer(this);
  }

  all(): Promise<D1Result> {
    return this.run();
  }

  async first(column?: string): Promise<unknown> {
    const [row = null] = this.database.answer(this).results as Record<string, unknown>[];
    return row && column !== undefined ? row[column] : row;
  }
}

function toSqlite(value: unknown): SQLInputValue {
  if (typeof value === "boolean") return Number(value);
  return value instanceof ArrayBuffer ? new Uint8Array(value) : (value as SQLInputValue);
}

/** D1 names the kind of error after its words. */
function wordsOf(error: unknown): string {
  const { message, errcode = 0 } = error as Error & { errcode?: number };
  return (errcode & 0xff) === constraint ? `${message}: SQLITE_CONSTRAINT` : message;
}

const constraint = 19;

const noFigures = {
  ...{ duration: 0, size_after: 0, rows_read: 0, rows_written: 0 },
  ...{ last_row_id: 0, changed_db: false, changes: 0 },
};
