import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";

/** The bindings of a Worker within Node: D1 over a file of SQLite, limiters that let everything pass, and queues that nobody reads. */
export function bindingsOn(file: string) {
  const limiter = { limit: async () => ({ success: true }) };
  const queue = { send: async () => undefined, sendBatch: async () => undefined };
  return {
    ...{ ENVIRONMENT: "bench", PUBLIC_URL: "http://127.0.0.1", DB: d1On(new DatabaseSync(file)) },
    ...{ JOBS: queue, EVENTS: queue },
    ...{ KEY_LIMITER: limiter, TOKENS_LIMITER: limiter, ADDRESS_LIMITER: limiter, SETUPS_LIMITER: limiter },
  };
}

type Bound = { statement: StatementSync; params: SQLInputValue[] };

function d1On(database: DatabaseSync) {
  const known = new Map<string, StatementSync>();
  const prepared = (sql: string): StatementSync => {
    const statement = known.get(sql) ?? database.prepare(sql);
    known.set(sql, statement);
    return statement;
  };
  const answer = ({ statement, params }: Bound) => ({
    results: statement.all(...params).map((row) => ({ ...row })),
    meta: { rows_read: 0, rows_written: 0, size_after: 0 },
  });
  const bound = (sql: string, params: SQLInputValue[]) => ({
    ...{ statement: prepared(sql), params },
    bind: (...values: SQLInputValue[]) => bound(sql, values),
    run: async () => answer({ statement: prepared(sql), params }),
  });
  return {
    prepare: (sql: string) => bound(sql, []),
    batch: async (statements: Bound[]) => {
      database.exec("BEGIN");
      try {
        const answers = statements.map(answer);
        database.exec("COMMIT");
        return answers;
      } catch (error) {
        database.exec("ROLLBACK");
        throw error;
      }
    },
  };
}
