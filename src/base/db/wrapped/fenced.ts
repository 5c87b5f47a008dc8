import { classify } from "../commit.ts";
import { guard, isGuard } from "../guard.ts";
import type { Db, Result, Statement } from "../port.ts";
import { first, raw } from "../statement.ts";
import { wrapDb } from "./wrap-db.ts";

/** An SQL condition, and the values of its parameters. */
export type Condition = Pick<Statement, "sql" | "params">;

/** A database in the hands of somebody who may write only while a condition holds: each write asks for it first, in its batch. */
export function fencedBy(db: Db, { sql, params }: Condition, newRefusal: () => Error | Promise<Error>): Db {
  const fence = guard(`NOT ${sql}`, params);
  const write = async (statements: Statement[]): Promise<Result[]> => {
    try {
      return (await db.batch([fence, ...statements], "write")).slice(1);
    } catch (error) {
      if (!isGuard(classify(error)) || (await first(db, raw(`SELECT 1 WHERE ${sql}`, ...params))))
        throw error;
      throw await newRefusal();
    }
  };
  return wrapDb(db, (statements, mode) => (mode === "read" ? db.batch(statements, mode) : write(statements)));
}
