import { beforeAll } from "vitest";
import type { Answer } from "./client.ts";
import type { Operation } from "./document.ts";
import { type Call, call, openWorld, type World } from "./world.ts";

/**
 * One world for the tests of a file, because making a world for each test takes most of their time. A test that needs its
 * records unchanged takes `unchangedFor`. A request that only has to succeed goes through `callToSucceed`: if an earlier
 * request has used up a record that it needs, it is repeated once in a new world, which later tests then share.
 */
export function useWorld(mark?: string) {
  let current: World;
  let isChanged = false;
  beforeAll(async () => {
    current = await openWorld(mark);
  });

  const retryInFresh = async <R>(
    attempt: (of: World) => Promise<R>,
    isSuccess: (result: R) => boolean,
  ): Promise<R> => {
    const result = await attempt(current);
    if (isSuccess(result)) return result;
    current = await openWorld(mark);
    return attempt(current);
  };

  return {
    /** The world as it is now. */
    shared: (): World => current,
    /** A world in which no operation has written yet, for a test that calls this operation. */
    unchangedFor: async ({ method }: Operation): Promise<World> => {
      if (isChanged) current = await openWorld(mark);
      isChanged = method !== "GET";
      return current;
    },
    retryInFresh,
    /** A request that succeeds, as `call` makes it. `changed` returns what the test changes in it. */
    callToSucceed: (
      operation: Operation,
      changed: (of: World) => Call = () => ({}),
    ): Promise<Answer<Schemaless>> =>
      retryInFresh(
        (of) => call(operation, of, changed(of)),
        ({ status }) => status < 300,
      ),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: the document has checked the body already
type Schemaless = any;
