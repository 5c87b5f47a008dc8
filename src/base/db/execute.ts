import type { Db, Result, Statement } from "./port.ts";

/** The outcome of a batch: the rows of its statements, or the database's own error message. */
export type Executed = { results: Result[] } | { failure: string };

/** Runs a batch that somebody else has written, so that a refusal is an answer and no fault of the code. */
export async function execute(db: Db, statements: Statement[], mode: "read" | "write"): Promise<Executed> {
  try {
    return { results: await db.batch(statements, mode) };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}
