import { describe, expect, test } from "vitest";
import { each, operations } from "../support/document.ts";
import { grow } from "../support/growth.ts";
import { usageOf } from "../support/records.ts";
import { call, openWorld } from "../support/world.ts";

/** Many more records of each kind than a request may read rows. */
const customers = 120;
const mostRows = 70;

describe("a request that writes reads what it is about, not what the account has", () => {
  const writing = operations.filter(({ method }) => method !== "GET");
  test.each(each(writing))("%s", async (_, operation) => {
    const world = await openWorld();
    await grow(world.tenant, customers);
    const { answer, rows_read } = await usageOf(() => call(operation, world));
    expect(answer.status).toBeLessThan(300);
    expect(rows_read).toBeLessThanOrEqual(mostRows);
  });
});
