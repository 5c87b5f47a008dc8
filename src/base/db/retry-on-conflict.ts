import { DomainError } from "../errors.ts";

/** A record has changed since it was read; nothing was written. */
export class StaleError extends Error {}

/**
 * Runs a read-decide-commit. If a record has changed in between, it is read and decided anew, up to `maxTries` in all; then
 * VERSION_CONFLICT is thrown. A refusal by the rules passes through at once.
 */
export async function retryOnConflict<T>(attempt: () => Promise<T>, maxTries = 2): Promise<T> {
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
