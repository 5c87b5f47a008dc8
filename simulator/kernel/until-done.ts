import { DomainError } from "../../src/base/errors.ts";
import type { Ctx } from "../../src/kit/context.ts";
import { isExpected } from "./invocations.ts";
import { instantOf, type World } from "./world.ts";

/** Has somebody ask again, a few times, while they know nothing of what they have asked for; a refusal is an answer. */
export function untilDone<T>(world: World, work: (ctx: Ctx) => Promise<T>): (ctx: Ctx) => Promise<T> {
  const tries = 1 + world.choices.below(3);
  return async (ctx) => {
    for (let tried = 1; ; tried++) {
      const at = instantOf(world);
      try {
        return await work({ ...ctx, now: at, realNow: at });
      } catch (error) {
        const isRefusal = error instanceof DomainError && error.code !== "UNAVAILABLE";
        if (isRefusal || tried >= tries || !isExpected(world, error)) throw error;
      }
    }
  };
}
