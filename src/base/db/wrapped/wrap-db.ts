import type { Db } from "../port.ts";

/** A database that runs batches in another way, and is otherwise the one that is wrapped, so that no wrapper forgets a member. */
export function wrapDb<D extends Db>(db: D, batch: Db["batch"]): D {
  return { ...db, batch };
}
