import { DomainError } from "../errors.ts";
import type { Statement } from "./client.ts";
import { ConstraintError } from "./commit.ts";

/** What was read has moved since; nothing was written. */
export class StaleError extends Error {}

/**
 * Runs a read-decide-commit. Where what was read moved in between, it is read and decided anew, once unless told; then
 * VERSION_CONFLICT. A refusal by the rules passes through at once.
 */
export const decide = async <T>(attempt: () => Promise<T>, mostTries = 2): Promise<T> => {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof StaleError)) throw error;
      if (tries === mostTries)
        throw new DomainError("VERSION_CONFLICT", "The record was changed by others meanwhile, try again");
    }
  }
};

/** A statement that fails its whole batch where `broken` holds; `isGuard` tells that failure from others. */
export const guard = (broken: string, params: Statement["params"]): Statement => ({
  sql: `INSERT INTO guards (ok) SELECT 0 WHERE ${broken}`,
  params,
});

export const isGuard = (error: unknown): boolean => error instanceof ConstraintError && error.on === "guard";
