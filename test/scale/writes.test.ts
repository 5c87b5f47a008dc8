/** A request that writes reads what it is about, not what the account has. */
import { beforeAll, describe, expect, test } from "vitest";
import { placesInBlock } from "../../src/kit/journal/tables.ts";
import { each, hasSucceeded, operations } from "../support/document.ts";
import { grow } from "../support/growth.ts";
import { usageOf } from "../support/records.ts";
import { call, openWorld, type World } from "../support/world.ts";

/** Many more records of each kind than a request may read rows. */
const customers = 120;
/** The request whose entry counts a block of the stream reads that block. */
const mostRows = 88 + placesInBlock;

describe("a request that writes reads what it is about, not what the account has", () => {
  const writing = operations.filter(({ method }) => method !== "GET");
  let world: World;
  const renew = async () => {
    world = await openWorld();
    await grow(world.tenant, customers);
  };
  beforeAll(renew);

  test.each(each(writing))("%s", async (_, operation) => {
    const ask = () => usageOf(() => call(operation, world));
    let { answer, rows_read } = await ask();
    if (!hasSucceeded(operation, answer.status)) {
      await renew();
      ({ answer, rows_read } = await ask());
    }
    expect(hasSucceeded(operation, answer.status)).toBe(true);
    expect(rows_read).toBeLessThanOrEqual(mostRows);
  });
});
