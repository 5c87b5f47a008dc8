import type { ObjectStorage } from "../env.ts";
import type { Db, Result, Row, Statement, Usage } from "./port.ts";
import { countTrip, emptyUsage } from "./usage.ts";

/** The storage port on an object's own SQLite: a batch is one synchronous transaction. Its trips leave the thread no more than its rows do. */
export function objectDb({ storage, afterWrite }: ObjectStorage, usage: Usage = emptyUsage()): Db {
  const run = ({ sql: text, params }: Statement): Result => {
    const cursor = storage.sql.exec<Row>(text, ...params);
    const rows = cursor.toArray();
    usage.rows_read += cursor.rowsRead;
    usage.rows_written += cursor.rowsWritten;
    return { rows };
  };
  return {
    engine: "object",
    usage,
    bytes: () => storage.sql.databaseSize,
    async batch(statements, mode) {
      countTrip(usage, statements);
      if (mode === "read") return statements.map(run);
      const before = usage.rows_written;
      const results = storage.transactionSync(() => statements.map(run));
      if (usage.rows_written > before) afterWrite?.();
      return results;
    },
  };
}
