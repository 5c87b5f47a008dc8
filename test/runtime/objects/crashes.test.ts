/** A message that is lost between the queue and an object is made up for, and charges once. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { AccountStub } from "../../../src/base/accounts/objects.ts";
import type { Bindings } from "../../../src/base/env.ts";
import { sharedWithObjects } from "../../support/objects.ts";
import { deliver, inDays, openShop, type Shop } from "../../support/shops.ts";
import {
  chargesOf,
  later,
  linked,
  openWorker,
  ordersOf,
  shipNow,
  type TestWorker,
} from "../../support/worker.ts";

let shop: Shop;
let worker: TestWorker;
let id: string;
beforeEach(async () => {
  [shop, worker] = [await openShop(), openWorker()];
  id = await linked(shop, worker, { next_delivery_date: inDays(30) });
  expect((await shipNow(shop, worker, id)).status).toBe(200);
});
afterEach(() => {
  vi.useRealTimers();
});

async function expectChargedOnce(): Promise<void> {
  expect(await chargesOf(id)).toHaveLength(1);
  expect(await ordersOf(shop, id)).toHaveLength(1);
}

/** The objects, each of whose answers to a message is lost, before or after its work. */
function lossy(works: boolean): Bindings {
  const bindings = sharedWithObjects(worker.bindings);
  const getByName = (account: string): AccountStub => {
    const stub = bindings.ACCOUNTS?.getByName(account) as unknown as AccountStub;
    return {
      ...stub,
      work: async (...args) => {
        if (works) await stub.work(...args);
        throw new Error("Network connection lost");
      },
      execute: (...args) => stub.execute(...args),
    };
  };
  return { ...bindings, ACCOUNTS: { getByName } as unknown as NonNullable<Bindings["ACCOUNTS"]> };
}

describe("between the queue and an object", () => {
  test.each([
    ["before the object has worked on it", false],
    ["after the object has worked on it", true],
  ])("a message is lost %s: it is delivered again, and charges once", async (_, works) => {
    const jobs = worker.sent();
    worker.forget();
    for (let tries = 0; tries < 2; tries++)
      expect((await deliver(jobs, { bindings: lossy(works) })).retried).toHaveLength(jobs.length);
    expect((await deliver(jobs, { bindings: worker.bindings })).retried).toEqual([]);
    await worker.drain();
    await expectChargedOnce();
  });

  test("every message is lost for good: the alarm finds the work, and it is charged once", async () => {
    worker.forget();
    await later(worker, 3600);
    await later(worker, 3600);
    await expectChargedOnce();
  });
});
