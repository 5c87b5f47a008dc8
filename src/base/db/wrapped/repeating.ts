import type { Db, Result, Statement } from "../port.ts";
import { type Transience, transienceOf } from "../transient-errors.ts";
import { wrapDb } from "./wrap-db.ts";

/**
 * A database that bears with passing failures. A read is repeated. A write is repeated as it is where the first try has done nothing;
 * where nobody knows whether it has, its `proof` is read first: if the batch is there, it is answered (without rows), else repeated.
 * A write without a proof is left to its caller, who knows whether it may be repeated.
 */
export function repeatTransient(db: Db): Db {
  return wrapDb(db, (statements, mode) =>
    mode === "read" ? repeatRead(() => db.batch(statements, mode)) : write(db, statements),
  );
}

/** Repeats what only reads while its failures are transient. */
export async function repeatRead<T>(work: () => Promise<T>): Promise<T> {
  const wait = waiter();
  for (;;)
    try {
      return await work();
    } catch (error) {
      if (!(await wait(transienceOf(error)))) throw error;
    }
}

/** The pauses between tries, which double. In sum a caller waits less than two seconds for a database that is only in a bad mood. */
const pauses_ms = [25, 50, 100, 200, 400, 800];
const overloaded_ms = 400;

async function write(db: Db, statements: Statement[]): Promise<Result[]> {
  const proof = statements.find((each) => each.proof)?.proof;
  const wait = waiter();
  let mayBeCommitted = false;
  for (;;)
    try {
      return await db.batch(statements, "write");
    } catch (error) {
      const kind = transienceOf(error);
      mayBeCommitted ||= kind !== undefined && unknownOutcomes.includes(kind);
      if (mayBeCommitted && !proof) throw error;
      const mayTryAgain = await wait(kind);
      if (mayBeCommitted && proof && (await holds(db, proof()))) return statements.map(() => ({ rows: [] }));
      if (!mayTryAgain) throw error;
    }
}

/** The failures after which nobody knows whether a write was done. */
const unknownOutcomes: Transience[] = ["unreachable", "overloaded", "unanswered"];

/** Whether a proof has a row. A database that does not answer proves nothing. */
async function holds(db: Db, proof: Statement): Promise<boolean> {
  try {
    const [found] = await db.batch([proof], "read");
    return found !== undefined && found.rows.length > 0;
  } catch (error) {
    if (transienceOf(error)) return false;
    throw error;
  }
}

/** Pauses before the next try, longer each time; answers whether there is one. One that is overloaded is given more time, less often. */
function waiter(): (kind: Transience | undefined) => Promise<boolean> {
  const left = [...pauses_ms];
  return async (kind) => {
    if (kind === undefined || kind === "full" || kind === "unanswered") return false;
    while (kind === "overloaded" && left[0] !== undefined && left[0] < overloaded_ms) left.shift();
    const pause = left.shift();
    if (pause === undefined) return false;
    await new Promise((resolve) => setTimeout(resolve, pause));
    return true;
  };
}
