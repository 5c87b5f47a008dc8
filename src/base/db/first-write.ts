import { type Condition, fencedBy } from "./fenced.ts";
import type { Db, Statement } from "./port.ts";

/** A statement that joins the first write of a database, and the condition without which that is refused. */
type FirstWrite = {
  statement: () => Statement;
  condition: Condition;
  newRefusal: () => Error;
  onWritten: () => void;
};

/** A database whose first write has a statement in its batch, and is refused where a condition does not hold. Later writes are free. */
export function withFirstWrite(db: Db, { statement, condition, newRefusal, onWritten }: FirstWrite): Db {
  const fenced = fencedBy(db, condition, newRefusal);
  let hasWritten = false;
  return {
    engine: db.engine,
    usage: db.usage,
    bytes: () => db.bytes?.(),
    async batch(statements, mode) {
      if (mode === "read" || hasWritten) return db.batch(statements, mode);
      const [, ...results] = await fenced.batch([statement(), ...statements], mode);
      hasWritten = true;
      onWritten();
      return results;
    },
  };
}
