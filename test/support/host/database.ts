import { HostSqlite } from "./sqlite.ts";

/** SQLite within Node as D1's client would show it: what is bound, run and answered, one transaction a batch, without figures of rows. */
export class HostDatabase {
  readonly #sqlite: HostSqlite;
  #empty: Uint8Array | undefined;

  constructor(file?: string) {
    this.#sqlite = new HostSqlite(file);
  }

  prepare(sql: string): Bound {
    return new Bound(this, sql, []);
  }

  async batch(statements: Bound[]): Promise<D1Result[]> {
    return this.#sqlite.transaction(() => statements.map((statement) => this.answer(statement)));
  }

  answer({ sql, params }: Bound): D1Result {
    try {
      return { success: true, results: this.#sqlite.all(sql, params), meta: { ...noFigures } };
    } catch (error) {
      throw new Error(`D1_ERROR: ${wordsOf(error)}`, { cause: error });
    }
  }

  /** Begins anew with this schema, which is made once and then copied. */
  begin(schema: string[]): void {
    this.#sqlite.begin(this.#empty);
    if (this.#empty) return;
    for (const sql of schema) this.#sqlite.all(sql, []);
    this.#empty = this.#sqlite.copy();
  }
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

/** D1 names the kind of error after its words. */
function wordsOf(error: unknown): string {
  const { message, errcode = 0 } = error as Error & { errcode?: number };
  return (errcode & 0xff) === constraint ? `${message}: SQLITE_CONSTRAINT` : message;
}

const constraint = 19;

/** Node counts no rows: a test that compares the numbers of some fails, and belongs to the project workers. */
const noFigures = {
  ...{ duration: 0, size_after: 0, rows_read: Number.NaN, rows_written: Number.NaN },
  ...{ last_row_id: 0, changed_db: false, changes: 0 },
};
