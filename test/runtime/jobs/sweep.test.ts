/** The sweep finds all work whose message was lost, shared by the accounts, the longest waiting first. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Job } from "../../../src/base/job.ts";
import { attemptSweep } from "../../../src/domain/billing/due/due.ts";
import { billingAttempts } from "../../../src/domain/billing/tables.ts";
import { findUnlinkedOfAccount, unlinkedSweep } from "../../../src/domain/contracts/link.ts";
import { noticeSweep } from "../../../src/domain/dunning/notices.ts";
import { defineSweep, type Sweep, sweep } from "../../../src/kit/outbox/sweep.ts";
import { ctxOn } from "../../support/ctx.ts";
import { execute, select, testDb } from "../../support/database.ts";
import { attemptOf, put, subscriptionOf } from "../../support/records.ts";
import { openShop, type Shop } from "../../support/shops.ts";

const lostAt = "2026-01-01T00:00:00.000Z";
const now = "2026-01-01T00:10:00.000Z";

function inMinutes(minutes: number) {
  return new Date(Date.parse(now) + minutes * 60_000).toISOString();
}

async function swept(sweeps: Sweep[], db = testDb()): Promise<Job[]> {
  const jobs: Job[] = [];
  await sweep(db, sweeps, { realNow: now, send: async (found) => void jobs.push(...found) });
  return jobs;
}

function sweptBy(size: number): Promise<Job[]> {
  const of = { table: billingAttempts, id: "id", size } as const;
  const charges = defineSweep(of, ({ account_id, id }) => ({ type: "charge", account_id, attempt_id: id }));
  return swept([charges]);
}

let shops: Shop[];
beforeEach(async () => {
  await execute("UPDATE billing_attempts SET next_action_at = NULL");
  shops = [await openShop(), await openShop(), await openShop()];
});
afterEach(() => execute("UPDATE billing_attempts SET next_action_at = NULL"));

/** Attempts of an account whose messages were lost; answers their ids, the longest waiting first. */
async function lost({ of, profileId }: Shop, count: number): Promise<string[]> {
  const owners = Array.from({ length: count }, () => subscriptionOf(of, profileId));
  const attempts = owners.map(({ id }, nth) =>
    attemptOf(of, id, 1, {
      status: "QUEUED",
      claims: 0,
      next_action_at: new Date(Date.parse(lostAt) + nth).toISOString(),
    }),
  );
  await put("subscriptions", owners);
  await put("billing_attempts", attempts);
  return attempts.map(({ id }) => id!);
}

function accountsIn(found: { account_id: string }[]): number[] {
  return found.map(({ account_id }) => shops.findIndex(({ of }) => of.account.id === account_id));
}

function idsOf(jobs: Job[]) {
  return jobs.flatMap((job) => (job.type === "charge" ? [job.attempt_id] : []));
}

describe("work whose message was lost", () => {
  test("one tick finds all, page after page", async () => {
    const ids = await lost(shops[0]!, 1_234);
    const found = idsOf(await swept([attemptSweep]));
    expect(found.toSorted()).toEqual(ids.toSorted());
    expect(await swept([attemptSweep])).toEqual([]);
  });

  test("a page is shared by the accounts that have lost messages", async () => {
    await lost(shops[0]!, 30);
    await lost(shops[1]!, 2);
    await lost(shops[2]!, 12);
    const found = accountsIn(await sweptBy(10));
    const counts = (from: number, to: number) =>
      [0, 1, 2].map((shop) => found.slice(from, to).filter((nth) => nth === shop).length);
    expect(counts(0, 8)).toEqual([3, 2, 3]);
    expect(counts(8, 18)).toEqual([5, 0, 5]);
    expect(counts(0, 44)).toEqual([30, 2, 12]);
  });

  test("the longest waiting of an account come first, and none comes that is not due or is settled", async () => {
    const [first, second, third] = await lost(shops[0]!, 3);
    await execute("UPDATE billing_attempts SET next_action_at = ? WHERE id = ?", inMinutes(1), third!);
    expect(idsOf(await sweptBy(1))).toEqual([first, second]);
  });

  test("a tick takes twenty pages at most; each further page is put off by a minute more", async () => {
    await lost(shops[0]!, 45);
    expect(await sweptBy(2)).toHaveLength(40);
    const due = await select<{ next_action_at: string; count: number }>(
      `SELECT next_action_at, COUNT(*) AS count FROM billing_attempts
        WHERE next_action_at >= ? GROUP BY next_action_at ORDER BY next_action_at`,
      now,
    );
    expect(due).toEqual(
      Array.from({ length: 20 }, (_, page) => ({ next_action_at: inMinutes(page + 1), count: 2 })),
    );
    expect(await sweptBy(2)).toHaveLength(5);
  });

  test("more accounts than a page has rows: each has its turn", async () => {
    for (const shop of shops) await lost(shop, 2);
    expect(accountsIn(await sweptBy(2)).toSorted()).toEqual([...[0, 0, 1, 1, 2, 2]]);
  });
});

test("several outboxes are looked into at once, and only those that have more are looked into again", async () => {
  const ids = await lost(shops[0]!, 501);
  const db = testDb();
  const found = idsOf(await swept([noticeSweep, attemptSweep], db));
  expect(found.toSorted()).toEqual(ids.toSorted());
  expect(db.usage).toMatchObject({ db_round_trips: 3, db_statements: 4 });
});

test("a page that fails loses no message of those before it", async () => {
  const ids = await lost(shops[0]!, 501);
  const db = testDb();
  let pages = 0;
  const failing: typeof db = {
    ...db,
    batch: (...args) => (++pages > 1 ? Promise.reject(new Error("timed out")) : db.batch(...args)),
  };
  const sent: Job[] = [];
  const send = async (jobs: Job[]) => void sent.push(...jobs);
  await expect(sweep(failing, [attemptSweep], { realNow: now, send })).rejects.toThrow("timed out");
  expect(idsOf(sent)).toEqual(ids.slice(0, 500));
});

describe("subscriptions without a contract", () => {
  const unlinked = async ({ of, profileId }: Shop, count: number, created_at: string): Promise<string[]> => {
    const owners = Array.from({ length: count }, () =>
      subscriptionOf(of, profileId, { store_contract_id: null, created_at }),
    );
    await put("subscriptions", owners);
    return owners.map(({ id }) => id);
  };
  afterEach(() =>
    execute("UPDATE subscriptions SET store_contract_id = seq WHERE store_contract_id IS NULL"),
  );

  test("more than a page of those that fail again and again hide none behind them", async () => {
    const [broken, well] = shops as [Shop, Shop, Shop];
    await unlinked(broken, 205, lostAt);
    const [id] = await unlinked(well, 1, inMinutes(-5));
    const found = (await swept([unlinkedSweep])).filter((one) => accountsIn([one])[0] !== -1);
    expect(found).toHaveLength(206);
    expect(found.at(-1)).toMatchObject({ account_id: well.of.account.id, subscription_id: id });
  });

  test("those of all stores that keep no contracts are found in one trip", async () => {
    const [one, other] = shops as [Shop, Shop, Shop];
    await unlinked(one, 2, lostAt);
    await unlinked(other, 2, lostAt);
    const set = (store: string) =>
      execute("UPDATE accounts SET store = ? WHERE id = ?", store, other.of.account.id);
    await set("stripe");
    const db = testDb();
    const found = await swept([unlinkedSweep], db);
    await set("sandbox");
    expect(accountsIn(found.filter((row) => accountsIn([row])[0] !== -1))).toEqual([0, 0, 1, 1]);
    expect(db.usage.db_round_trips).toBe(1);
  });

  test("those of an account are found past a page too, where its clock is moved", async () => {
    const [shop] = shops as [Shop, Shop, Shop];
    const ids = await unlinked(shop, 205, lostAt);
    const [last] = await unlinked(shop, 1, inMinutes(-5));
    const found = await findUnlinkedOfAccount(ctxOn(testDb(), shop.of.account));
    expect([found.length, found.at(-1)]).toEqual([ids.length + 1, last]);
  });
});
