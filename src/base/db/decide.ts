import { DomainError } from "../errors.ts";
import { ConstraintError } from "./commit.ts";
import type { Statement } from "./port.ts";

/** A record has changed since it was read; nothing was written. */
export class StaleError extends Error {}

/**
 * Runs a read-decide-commit. If a record has changed in between, it is read and decided anew, up to `maxTries` in all; then
 * VERSION_CONFLICT is thrown. A refusal by the rules passes through at once.
 */
export async function decide<T>(attempt: () => Promise<T>, maxTries = 2): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof StaleError)) throw error;
      if (tries === maxTries)
        throw new DomainError("VERSION_CONFLICT", "The record was changed by others meanwhile, try again");
    }
  }
}

/** A statement that fails its whole batch if `broken` holds; `isGuard` recognises that failure. The builder has no insert without a table to select from, so this is SQL. */
export function guard(broken: string, params: Statement["params"]): Statement {
  return {
    sql: `INSERT INTO guards (ok) SELECT 0 WHERE ${broken}`,
    params,
  };
}

export function isGuard(error: unknown): boolean {
  return error instanceof ConstraintError && error.on === "guard";
}
