import type { Executed } from "../../base/db/execute.ts";
import type { Result, Row, Statement } from "../../base/db/port.ts";
import { findWriteFault } from "../../base/db/reading-sql.ts";
import type { ObjectStorage } from "../../base/env.ts";

/**
 * Runs statements that somebody else has written and that may only read. They run in a transaction that is always rolled back, so that
 * nothing remains of them whatever they are; one that is no read is refused.
 */
export function readOnly(storage: ObjectStorage["storage"], statements: Statement[]): Executed {
  const [fault] = statements.flatMap(({ sql }, nth) => describeFault(nth, findWriteFault(sql)));
  if (fault !== undefined) return { failure: fault };
  const rollback = new RollbackError();
  try {
    storage.transactionSync(() => {
      rollback.executed = { results: statements.map((statement, nth) => run(storage, statement, nth)) };
      throw rollback;
    });
  } catch (error) {
    if (error !== rollback) return { failure: error instanceof Error ? error.message : String(error) };
  }
  return rollback.executed;
}

/** Ends the transaction, and holds what it has read. */
class RollbackError extends Error {
  executed: Executed = { results: [] };
}

function run({ sql }: ObjectStorage["storage"], { sql: text, params }: Statement, nth: number): Result {
  const cursor = sql.exec<Row>(text, ...params);
  const rows = cursor.toArray();
  if (cursor.rowsWritten > 0) throw new Error(describeFault(nth, "would write")[0]);
  return { rows };
}

function describeFault(nth: number, fault: string | undefined): string[] {
  return fault === undefined ? [] : [`Statement ${nth + 1} ${fault}: mode "read" takes reads alone`];
}
