import type { Account } from "../../../base/accounts/tables.ts";
import type { Db, Statement } from "../../../base/db/port.ts";
import { requireUnmoved } from "../as-read.ts";

/** The state of the move in an object that a copy is being made in: nobody is served from it yet. */
export const beingFilled = '{"step":"filled"}';

/**
 * Refuses its batch unless rows are still being copied to this database. A step of a move can last until others have brought the account
 * to its new engine and deleted the old rows: what it copied then would take the account's own rows away.
 */
export function requireBeingFilled(to: Db, { id, moving }: Pick<Account, "id" | "moving">): Statement {
  return requireUnmoved({ id, moving: to.engine === "object" ? beingFilled : moving });
}
