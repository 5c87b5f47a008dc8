import { beforeAll } from "vitest";
import type { Operation } from "./document.ts";
import { openWorld, type World } from "./world.ts";

/** One world for the tests of a file that only read, and a new one for an operation that finds the records of an earlier one changed. */
export function useWorld() {
  let current: World;
  let isChanged = false;
  beforeAll(async () => {
    current = await openWorld();
  });

  return {
    /** A world in which no operation has written yet, for a test that calls this operation. */
    unchangedFor: async ({ method }: Operation): Promise<World> => {
      if (isChanged) current = await openWorld();
      isChanged = method !== "GET";
      return current;
    },
  };
}
