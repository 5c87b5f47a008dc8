import type { Account } from "../../../base/accounts/tables.ts";
import type { Db, Statement } from "../../../base/db/port.ts";
import { guardUnmoved } from "../as-read.ts";

/** The state of the move in an object that a copy is being made in: nobody is served from it yet. */
export const beingFilled = '{"step":"filled"}';

/** Whether an object is still a copy that is being made. */
export function isBeingFilled({ moving }: Pick<Account, "moving">): boolean {
  return moving !== null && JSON.parse(moving).step === JSON.parse(beingFilled).step;
}

/** The state of an object that one call fills alone, given where the account is on its way. */
export function filledBy({ moving }: Pick<Account, "moving">): string {
  const { turn }: { turn?: string } = JSON.parse(moving ?? "{}");
  return turn === undefined ? beingFilled : JSON.stringify({ ...JSON.parse(beingFilled), turn });
}

/**
 * Refuses its batch unless rows are still being copied to this database, and by this call where one copies alone. A step of a move can
 * last until others have brought the account to its new engine and deleted the old rows: what it copied then would take the account's own
 * rows away.
 */
export function guardBeingFilled(to: Db, { id, moving }: Pick<Account, "id" | "moving">): Statement {
  return guardUnmoved({ id, moving: to.engine === "object" ? filledBy({ moving }) : moving });
}
