/**
 * The condition that work on the rows of all accounts leaves those of resting accounts alone: a single write to one of them would
 * be refused, and all with it. Mostly no account moves, which is found out once for a statement.
 */
export function mayBeWritten(column: string): string {
  return `(NOT ${moves} OR ${column} NOT IN (${resting}))`;
}

/**
 * Accounts whose rows in this database must stay as they are: while it is copied to the other engine, where a move
 * has left them behind (operator/move/state.ts), and while an account is closed (accounts/closed.ts). Few accounts move at once, and
 * an index knows them.
 */
const resting = `SELECT seq FROM accounts WHERE moving IS NOT NULL AND instr(moving, '"draining"') = 0
  AND (engine <> 'd1' OR moving ->> '$.step' IN ('copying', 'deleting', 'importing'))`;

const moves = "EXISTS (SELECT 1 FROM accounts WHERE moving IS NOT NULL)";
