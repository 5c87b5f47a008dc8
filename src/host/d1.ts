import type { Sqlite } from "./sqlite.ts";

/** SQLite as D1's client shows it. It counts no rows: `rows` is what is told instead, for reads and writes alike. */
export function openD1(sqlite: Sqlite, rows = 0): D1Database {
  const meta = {
    ...{ duration: 0, size_after: 0, rows_read: rows, rows_written: rows },
    ...{ last_row_id: 0, changed_db: false, changes: 0 },
  };

  function answer({ sql, params }: Asked): D1Result {
    try {
      return { success: true, results: sqlite.all(sql, params), meta: { ...meta } };
    } catch (error) {
      throw new Error(`D1_ERROR: ${wordsOf(error)}`, { cause: error });
    }
  }

  const bound = (sql: string, params: unknown[]): Bound => {
    const its = { sql, params };
    const run = async () => answer(its);
    const bind = (...values: unknown[]) => bound(sql, values);
    return { ...its, bind, run, all: run, first: async (column) => columnOf(answer(its), column) };
  };

  const d1 = {
    prepare: (sql: string) => bound(sql, []),
    async batch(statements: Bound[]) {
      const mode = statements.every(({ sql }) => isRead.test(sql)) ? "read" : "write";
      return sqlite.transaction(() => statements.map(answer), mode);
    },
  };
  return d1 as unknown as D1Database;
}

type Asked = { sql: string; params: unknown[] };

type Bound = Asked & {
  bind: (...values: unknown[]) => Bound;
  run: () => Promise<D1Result>;
  all: () => Promise<D1Result>;
  first: (column?: string) => Promise<unknown>;
};

const isRead = /^\s*(select|values)\b/i;

function columnOf({ results }: D1Result, column?: string): unknown {
  const [row = null] = results as Record<string, unknown>[];
  return row && column !== undefined ? row[column] : row;
}

/** D1 names the kind of error after its words. */
function wordsOf(error: unknown): string {
  const { message, errcode = 0 } = error as Error & { errcode?: number };
  return (errcode & 0xff) === constraint ? `${message}: SQLITE_CONSTRAINT` : message;
}

const constraint = 19;
