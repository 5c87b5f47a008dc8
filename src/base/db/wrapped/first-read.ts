import type { Db, Statement } from "../port.ts";
import { wrapDb } from "./wrap-db.ts";

/** A statement that joins the first read of a database, and what is told of it and of the writes. */
type FirstRead<R> = {
  /** The statement; undefined once it has been read. */
  statement: () => Statement<R> | undefined;
  /** Gets its rows before anybody gets those of the others, and may throw. */
  onRows: (rows: R[]) => void;
  onWritten: (statements: Statement[]) => void;
};

/** A database that reads a statement in the trip of whatever is read first. */
export function withFirstRead<R>(db: Db, { statement, onRows, onWritten }: FirstRead<R>): Db {
  return wrapDb(db, async (statements, mode) => {
    const joined = mode === "read" ? statement() : undefined;
    const results = await db.batch(joined ? [joined, ...statements] : statements, mode);
    if (mode === "write") onWritten(statements);
    if (joined) onRows((results.shift()?.rows ?? []) as R[]);
    return results;
  });
}
