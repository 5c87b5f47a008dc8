/** Every account is compared with its store once a night, 200 of them by each tick. */
import { beforeAll, expect, test } from "vitest";
import type { Job } from "../../../src/base/job.ts";
import { reconciliationSweep } from "../../../src/domain/billing/reconcile/nightly.ts";
import { sweep } from "../../../src/kit/outbox/sweep.ts";
import { testDb } from "../../support/database.ts";
import { put } from "../../support/records.ts";

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, nth) => from + nth);

/** Accounts that are due for their first comparison a day after they were created, the last of them first. */
async function createAccounts(from: number, to: number) {
  await put(
    "accounts",
    numbers(from, to).map((nth) => ({
      ...{
        id: `account-${nth}`,
        name: "Shop",
        shop: `${nth}.example`,
        timezone: "UTC",
        currency_code: "USD",
      },
      created_at: new Date(Date.UTC(2026, 0, 1) - nth * 1_000).toISOString(),
      updated_at: "2026-01-01T00:00:00.000Z",
    })),
  );
}

async function find(at: string) {
  const db = testDb();
  const found: number[] = [];
  const send = async (jobs: Job[]) =>
    void found.push(...jobs.map(({ account_id }) => Number(account_id.slice("account-".length))));
  await sweep(db, [reconciliationSweep], { realNow: at, send });
  return { found: found.toSorted((one, other) => one - other), rows_read: db.usage.rows_read };
}

beforeAll(() => createAccounts(0, 1_000));

test("a tick takes the 200 accounts that have been due longest, and reads as much however many are due", async () => {
  const ofThousand = await find("2026-02-01T12:00:00.000Z");
  expect(ofThousand.found).toEqual(numbers(800, 1_000));
  await createAccounts(1_000, 3_000);
  const ofMore = await find("2026-02-01T12:01:00.000Z");
  expect(ofMore.found).toEqual(numbers(2_800, 3_000));
  expect(ofMore.rows_read).toBe(ofThousand.rows_read);
});

test("each account is taken once, and all of them by as many ticks as they have 200", async () => {
  const found: number[] = [];
  for (let minute = 2; minute < 15; minute++)
    found.push(...(await find(`2026-02-01T12:${String(minute).padStart(2, "0")}:00.000Z`)).found);
  expect(found).toHaveLength(3_000 - 400);
  expect(new Set(found).size).toBe(found.length);
  expect((await find("2026-02-01T12:15:00.000Z")).found).toEqual([]);
});
