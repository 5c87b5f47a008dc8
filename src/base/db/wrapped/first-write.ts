import type { Db, Statement } from "../port.ts";
import { type Condition, fencedBy } from "./fenced.ts";
import { wrapDb } from "./wrap-db.ts";

/** The condition without which the first write of a database is refused, and a statement that joins it. */
type FirstWrite = {
  condition: Condition;
  newRefusal: () => Error | Promise<Error>;
  statement?: () => Statement;
  onWritten?: () => void;
};

/** A database whose first write is refused where a condition does not hold, and may have a statement in its batch. Later writes are free. */
export function withFirstWrite(db: Db, { statement, condition, newRefusal, onWritten }: FirstWrite): Db {
  const fenced = fencedBy(db, condition, newRefusal);
  let hasWritten = false;
  return wrapDb(db, async (statements, mode) => {
    if (mode === "read" || hasWritten) return db.batch(statements, mode);
    const joined = statement ? [statement()] : [];
    const results = await fenced.batch([...joined, ...statements], mode);
    hasWritten = true;
    onWritten?.();
    return results.slice(joined.length);
  });
}
